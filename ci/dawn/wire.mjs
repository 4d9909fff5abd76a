// The protocol between the controller and a worker: the header's length as a little-endian u32, a JSON header, and the
// blobs whose lengths the header lists. The other end is crates/isobit-runner/src/wire.rs.

/** Messages of a stream, each with its blobs, until the controller closes it between two of them. */
export async function* receive(stream) {
  const reader = new Reader(stream);
  for (;;) {
    const length = await reader.take(4, true);
    if (length === null) return;
    const { message, blobs } = JSON.parse((await reader.take(length.readUInt32LE(0))).toString("utf8"));
    const taken = [];
    for (const bytes of blobs) taken.push(await reader.take(bytes));
    yield { message, blobs: taken };
  }
}

/** Sends a message, and waits until the system has taken all of it: the process may end right after. */
export async function send(stream, message, blobs = []) {
  const header = Buffer.from(JSON.stringify({ message, blobs: blobs.map((blob) => blob.byteLength) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  for (const part of [length, header, ...blobs]) {
    await new Promise((resolve, reject) => {
      stream.write(part, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Takes a stream apart into pieces of known length. */
class Reader {
  constructor(stream) {
    this.chunks = stream[Symbol.asyncIterator]();
    this.rest = Buffer.alloc(0);
  }

  /** The next `bytes` bytes; null where the stream ends before the first of them and may. */
  async take(bytes, mayEnd = false) {
    const parts = [];
    let missing = bytes;
    while (missing > 0) {
      if (this.rest.length === 0) {
        const { value, done } = await this.chunks.next();
        if (done) {
          if (mayEnd && missing === bytes) return null;
          throw new Error(`the stream ended ${missing} bytes before the end of a message`);
        }
        this.rest = value;
      }
      const part = this.rest.subarray(0, missing);
      this.rest = this.rest.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }
}
