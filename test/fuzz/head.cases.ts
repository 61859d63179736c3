/** Heads of requests, and parts of heads, that are sent byte for byte. */

/** Duplicate or invalid Content-Length headers, with an empty body. */
export const LENGTHS = [
  ['Content-Length: 2', 'Content-Length: 3'],
  ['Content-Length: 2', 'Content-Length: 2'],
  ['Content-Length: 2, 2'],
  ['Content-Length: 2', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 2'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['Transfer-Encoding: identity'],
  ['Transfer-Encoding: chunked, gzip'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding : chunked'],
  ['Content-Length: -1'],
  ['Content-Length: +2'],
  ['Content-Length: 0x2'],
  ['Content-Length: 2 2'],
  ['Content-Length: 99999999999999999999'],
  ['Content-Length:'],
  [' Content-Length: 2'],
  ['Content-Length\t: 2'],
];

/** Invalid chunked bodies. */
export const CHUNKS = [
  'z\r\n{}\r\n0\r\n\r\n',
  '-1\r\n',
  'ffffffffffffffffff\r\n{}',
  '2;x=\0\r\n{}\r\n0\r\n\r\n',
  '2\r\n{}0\r\n\r\n',
  '0x2\r\n{}\r\n0\r\n\r\n',
  '2 \r\n{}\r\n0\r\n\r\n',
];

/** Request lines that are invalid, or of another protocol. */
export const REQUEST_LINES = [
  'GET /api/v1/keys',
  'GET /api/v1/keys HTTP/9.9',
  'GET /api/v1/keys HTTP/0.9',
  'get /api/v1/keys HTTP/1.1',
  'BREW /api/v1/keys HTTP/1.1',
  'PRI * HTTP/2.0',
  '/api/v1/keys',
  'GET api/v1/keys HTTP/1.1',
  'GET\t/api/v1/keys\tHTTP/1.1',
  'GET /api/v1/ke ys HTTP/1.1',
  'GET /api/v1/ke\0ys HTTP/1.1',
  'GET /api/v1/ke\u00e9ys HTTP/1.1',
  '{"json": true}',
  '\x16\x03\x01\x02\x00\x01\x00',
];

/** Equivalent targets for the list of keys. */
export const SAME_TARGETS = [
  'http://other.example/api/v1/keys',
  'HTTP://x:1/api/v1/keys?limit=1',
  '/api/v1/keys/',
  '/api/v1/keys?',
  '/api/v1/keys?&',
  '/api/v1/keys#x',
];

/** Targets that look like the list of keys and lead elsewhere. */
export const OTHER_TARGETS = [
  '*',
  '/api/v1//keys',
  '//api/v1/keys',
  '/api/v1/../v1/keys',
  '/api/v1/./keys',
  '/api/v1/%2e%2e/v1/keys',
  '/api/v1/keys;a=b',
  '/api/v1/%6beys',
  '/api/v1/keys%00',
  '/api/v1/keys%20',
  '/api%2fv1%2fkeys',
  '/api/v1/keys%3flimit=1',
  '\\api\\v1\\keys',
  '/api/v1/%',
  '/api/v1/keys/%',
  '/api/v1/keys/%ff%fe/x',
  'http://',
  'http://:x/',
  'urn:x',
  '/api/v1/keys/../../../../etc/nothing',
];

/** Paths that cannot be decoded. */
export const BROKEN_PATHS = [
  '/positions/%',
  '/partners/%E0%A4%A',
  '/partners/%ff/campaigns',
  '/yield/history/%c0%af',
];
