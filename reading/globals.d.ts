//! The functions that browsers, Workers and Node share, and that the library ES2024 does not declare.

declare function atob(data: string): string;
declare function btoa(data: string): string;

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  readonly encoding: string;
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}
