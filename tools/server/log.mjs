// Appends the lines of the standard input to a file:
//   node tools/server/log.mjs .wrangler/state/workerd.log [maximum bytes]
// The program before the pipe would exit if its log could not be written. This one continues, and notes how many lines
// were lost. A file that is too long is renamed and replaces the previous renamed file.

import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/// The size in bytes at which a file is renamed.
const MAX = 64 << 20;
const NEWLINE = 0x0a;

/// A log file to which lines are appended.
export class Log {
  constructor(file, most) {
    Object.assign(this, { file, most, lost: 0, reason: '', isCut: false });
  }

  /// Writes whole lines, or counts them as lost.
  write(lines) {
    try {
      this.open();
      if (this.isCut) this.append('\n');
      if (this.lost > 0) this.append(this.note());
      this.lost = 0;
      this.append(lines);
      if (this.length >= this.most) this.rotate();
    } catch (error) {
      this.reason = error.code;
      this.lost += lines.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
      this.close();
    }
  }

  open() {
    if (this.descriptor !== undefined) return;
    this.descriptor = openSync(this.file, 'a');
    this.length = fstatSync(this.descriptor).size;
  }

  close() {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  append(text) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) {
      // A full disk may take only a part.
      const written = writeSync(this.descriptor, bytes, at);
      at += written;
      this.length += written;
      this.isCut = bytes[at - 1] !== NEWLINE;
    }
  }

  note() {
    const message = JSON.stringify({ event: 'log', detail: `${this.lost} lines were lost: ${this.reason}` });
    return `${JSON.stringify({ timestamp: Date.now(), level: 'error', message })}\n`;
  }

  rotate() {
    this.close();
    renameSync(this.file, `${this.file}.1`);
  }
}

async function main([file, most = MAX]) {
  const log = new Log(file, Number(most));
  // The server exits on these signals and writes its last lines afterwards.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  let rest = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) log.write(bytes.subarray(0, end));
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) log.write(Buffer.concat([rest, Buffer.from('\n')]));
}

if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2));
