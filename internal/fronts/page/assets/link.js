// Text in an address after the #, where no server sees it: compressed, in the letters of base64url.

const most = 256 * 1024; // bytes of a text: the front end's own limit for a shader
const mostPacked = 32 * 1024; // characters of a link: a length that browsers accept, and most chats

// A TooLong says that a text doesn't fit in a link, or a link is longer than any of ours.
export class TooLong extends Error {
  constructor() { super('it is too long'); }
}

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

const letters = (bytes) => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const bytesOf = (packed) => {
  if (packed.length > mostPacked) throw new TooLong();
  return Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
};

const fitting = (packed) => {
  if (packed.length > mostPacked) throw new TooLong();
  return packed;
};

const decoded = (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

// pack encodes a text for an address.
export const pack = async (text) =>
  fitting(letters(new Uint8Array(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')))));

// unpack decodes it, and stops at the size limit.
export const unpack = async (packed) => {
  const reader = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new TooLong();
    }
    parts.push(value);
  }
  return decoded(await new Blob(parts).arrayBuffer());
};

// A bench in a link: #try= and a letter for the version. In version a, the text after it is compressed; in version b,
// which browsers without CompressionStream write, it is not. Both are JSON:
//
//   {source, binds: [[place, text]…], passes: [[entry, workgroups]…], overrides: [[key, value]…],
//    from, notes,                                   where it comes from, in words; may be missing
//    step: {case, moment, invocation, breakpoints}} where the step view was; may be missing

const isPairs = (list) => Array.isArray(list) && list.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'));

const isStep = ({ case: name, moment, invocation, breakpoints } = {}) => typeof name === 'string' && Number.isInteger(moment) && Number.isInteger(invocation) &&
  Array.isArray(breakpoints) && breakpoints.every(({ line, condition } = {}) => Number.isInteger(line) && typeof condition === 'string');

// readBench returns the bench in a text; it throws if the text holds none.
export const readBench = (text) => {
  const found = JSON.parse(text);
  const { source, binds, passes, overrides, from = '', notes = '', step } = found;
  const isText = [source, from, notes].every((part) => typeof part === 'string');
  if (!isText || ![binds, passes, overrides].every(isPairs) || (step !== undefined && !isStep(step))) throw new Error('it holds no bench');
  return { source, binds, passes, overrides, from, notes, ...(step && { step }) };
};

// benchHash returns the part of an address that holds a bench.
export const benchHash = async (bench) => {
  const text = JSON.stringify(bench);
  if (globalThis.CompressionStream) return '#try=a' + await pack(text);
  return '#try=b' + fitting(letters(new TextEncoder().encode(text)));
};

// benchIn returns the bench in that part of an address; null if there is none. It throws if the part is damaged.
export const benchIn = async (hash) => {
  const [, version, packed] = /^#try=(.?)(.*)$/s.exec(hash) ?? [];
  if (packed === undefined) return null;
  if (version === 'a') return readBench(await unpack(packed));
  if (version === 'b') return readBench(decoded(bytesOf(packed)));
  throw new Error('a newer version of this page wrote it');
};
