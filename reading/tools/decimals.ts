//! Sums of decimals as they were written, without binary fractions.

/** Decimals as whole numbers of the same size. */
interface Scaled {
  numbers: bigint[];
  /** The number of digits behind the point. */
  digits: number;
}

function scaled(values: readonly string[]): Scaled {
  const digits = Math.max(...values.map((one) => (one.split('.')[1] ?? '').length));
  const numbers = values.map((one) => {
    const [whole = '', part = ''] = one.replace(/^[-+]/, '').split('.');
    const number = BigInt(whole + part.padEnd(digits, '0'));
    return one.startsWith('-') ? -number : number;
  });
  return { numbers, digits };
}

/** Writes a whole number with digits behind the point. */
function written(number: bigint, digits: number): string {
  const text = String(number < 0n ? -number : number).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${number < 0n ? '-' : ''}${digits === 0 ? whole : `${whole}.${text.slice(-digits)}`}`;
}

const sum = (numbers: readonly bigint[]): bigint => numbers.reduce((a, b) => a + b, 0n);

/** Returns the mean with one digit more than the values have; half is rounded away from zero. */
export function meanOf(values: readonly string[]): string {
  const { numbers, digits } = scaled(values);
  const [total, n] = [20n * sum(numbers), BigInt(values.length)];
  return written((total + (total < 0n ? -n : n)) / (2n * n), digits + 1);
}

export function differenceOf(a: string, b: string): string {
  const { numbers, digits } = scaled([a, b]);
  const [one = 0n, other = 0n] = numbers;
  return written(one - other, digits);
}
