import { crc32 } from 'node:zlib';

/** Files of a ZIP that is stored and has no comment, by its directory. @throws Error for one that is cut off or damaged */
export function zipFiles(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22;
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('The ZIP has no end.');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    const [method, crc, size] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 24),
    ];
    const [nameBytes, extra] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(begin, begin + size);
    const name = zip.subarray(at + 46, at + 46 + nameBytes).toString();
    if (method !== 0 || crc32(content) !== crc) throw new Error(`${name} is damaged.`);
    files.set(name, content);
    at += 46 + nameBytes + extra;
  }
  return files;
}
