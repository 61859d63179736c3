// Writes a PNG smaller than a browser does: of 256 colours, most of them those that it has most of, and compressed at length. What is drawn between two colours takes
// the nearest of them; pictures of text and flat colour look the same.
import { deflateSync, inflateSync, crc32 } from 'node:zlib';

const SIGNATURE = 8;
const PLAIN = 0;
const INDEXED = 3;
const MOST_COLOURS = 256;
const MOST_FREQUENT = 160;
/** Bytes of a pixel, by the colour type. */
const COLOURS = { 2: 3, 6: 4 };

/** @param png of 8 bits a channel, not interlaced, as Chromium writes them */
export function smaller(png) {
  const chunks = [...chunksOf(png)];
  const header = Buffer.from(chunks.find(({ type }) => type === 'IHDR').data);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = COLOURS[header[9]];
  if (header[8] !== 8 || !channels || header[12] !== 0) return png;
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
  const rows = unfiltered(inflateSync(data), width * channels, height, channels);
  const { palette, indexes } = indexed(rows, width, channels);
  // A row begins with its filter.
  const plain = Buffer.concat(indexes.flatMap((row) => [Buffer.of(PLAIN), row]));
  header[9] = INDEXED;
  const body = deflateSync(plain, { level: 9, memLevel: 9 });
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ];
  const made = Buffer.concat([png.subarray(0, SIGNATURE), ...parts]);
  return made.length < png.length ? made : png;
}

function* chunksOf(png) {
  for (let at = SIGNATURE; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const made = Buffer.alloc(named.length + 8);
  made.writeUInt32BE(data.length, 0);
  named.copy(made, 4);
  made.writeUInt32BE(crc32(named), named.length + 4);
  return made;
}

/** Rows without the filters of the PNG specification (section 9), of which a file's rows each name one. */
function unfiltered(data, length, height, channels) {
  const rows = [];
  let above = Buffer.alloc(length);
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1);
    const row = Buffer.from(data.subarray(start + 1, start + 1 + length));
    for (let x = 0; x < length; x++) {
      const left = x < channels ? 0 : row[x - channels];
      const corner = x < channels ? 0 : above[x - channels];
      row[x] += PREDICTED[data[start]](left, above[x], corner);
    }
    rows.push(row);
    above = row;
  }
  return rows;
}

const PREDICTED = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const [a, b, c] = [left, up, corner].map((one) => Math.abs(left + up - corner - one));
    if (a <= b && a <= c) return left;
    return b <= c ? up : corner;
  },
];

/** @returns the palette, and each row as places in it */
function indexed(rows, width, channels) {
  const colourAt = (row, x) => row.readUIntBE(x * channels, 3);
  const counts = new Map();
  for (const row of rows)
    for (let x = 0; x < width; x++) {
      const colour = colourAt(row, x);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  const ranked = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const colours = ranked.slice(0, MOST_FREQUENT);
  // Few pixels have the colour of a small word: what is furthest from all that there is comes next.
  const others = ranked
    .slice(MOST_FREQUENT)
    .map((colour) => ({ colour, distance: distanceTo(colours, colour) }));
  while (colours.length < MOST_COLOURS && others.length > 0) {
    const { colour } = others.reduce((far, one) => (one.distance > far.distance ? one : far));
    colours.push(colour);
    for (const other of others) other.distance = Math.min(other.distance, apart(colour, other.colour));
  }
  const places = new Map(colours.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(colours, colour));
  const palette = Buffer.alloc(colours.length * 3);
  colours.forEach((colour, place) => palette.writeUIntBE(colour, place * 3, 3));
  const indexes = rows.map((row) =>
    Buffer.from(Array.from({ length: width }, (_, x) => places.get(colourAt(row, x)))),
  );
  return { palette, indexes };
}

const partsOf = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
const apart = (one, other) => {
  const [parts, others] = [partsOf(one), partsOf(other)];
  return parts.reduce((sum, part, at) => sum + (part - others[at]) ** 2, 0);
};
const distanceTo = (colours, wanted) => Math.min(...colours.map((colour) => apart(colour, wanted)));

function nearest(colours, wanted) {
  const distances = colours.map((colour) => apart(colour, wanted));
  return distances.indexOf(Math.min(...distances));
}
