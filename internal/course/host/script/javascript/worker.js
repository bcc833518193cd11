// The parts of a Web Worker that gpu.js and learners' programs need, for goja. wgslabNative is in goja.go.
'use strict';

{
  const { evaluate, detach, after, cancel, alive, print } = wgslabNative;
  delete globalThis.wgslabNative;
  const files = new Map();
  const words = (values) => values.map((value) => typeof value === 'string' ? value : value instanceof Error ? String(value) : JSON.stringify(value) ?? String(value)).join(' ');
  const printed = (...values) => print(words(values));
  Object.assign(globalThis, {
    DOMException: class DOMException extends Error {
      constructor(message, name = 'Error') {
        super(message);
        this.name = name;
      }
    },
    Blob: class Blob {
      constructor(parts) { this.text = parts.join(''); }
    },
    URL: {
      createObjectURL({ text }) {
        const address = `blob:wgslab/${files.size + 1}`;
        files.set(address, text);
        return address;
      },
      revokeObjectURL() {},
    },
    importScripts(address) {
      const wrong = evaluate(files.get(address), address);
      if (wrong) throw Object.assign(new SyntaxError(wrong.message), { lineNumber: wrong.line });
    },
    structuredClone(value, { transfer = [] } = {}) { transfer.forEach((buffer) => detach(buffer)); },
    postMessage({ host, line }) { alive(host, line); },
    setTimeout: (call, milliseconds = 0, ...values) => after(() => call(...values), Number(milliseconds) || 0),
    clearTimeout: (number) => cancel(number ?? 0),
    wgslabWarn() {},
    queueMicrotask: (call) => { Promise.resolve().then(call); },
    performance: { now: () => Date.now() },
    console: { log: printed, info: printed, debug: printed, warn: printed, error: printed },
  });
}
