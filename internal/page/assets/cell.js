// The Web Worker of one run of a notebook's Go cell, which is a program of its own, as a
// cell of GoNB is. The page says {program, cell: 'NOTEBOOK/CELL', files: {…}}, the compiled
// program and the files of work/ by their path, and is told what the cell puts out, in order:
//
//   {display: {…}, place}      a display by MIME type; a later one in the same place, if
//                              that is not '', takes the place of the first
//   {printed: words, stream}   what the cell printed to 'stdout' or 'stderr'
//   {network: {…}} and a port  a sheet to draw on is wanted (internal/page/sheet/assets/worker.js)
//   {ended: code}              the cell has ended, with 0 by itself
//   {failed: words}            the cell could not be run
//
// To stop a cell, the page ends the worker.
'use strict';

importScripts('program.js');

const decoders = [1, 2].map(() => new TextDecoder()); // what is printed may end in the midst of a character
const files = new Files((descriptor, bytes) => {
  const printed = decoders[descriptor - 1].decode(bytes, { stream: true });
  postMessage({ printed, stream: descriptor === 1 ? 'stdout' : 'stderr' });
});

// pkg/show displays by this, pkg/draw asks by the other for a sheet to draw on.
globalThis.wgslabDisplay = (place, display) => postMessage({ display, place });
globalThis.wgslabDraw = (network, answer) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: { id, image } }) => answer(image, (reply) => port1.postMessage({ id, ...JSON.parse(reply) }));
  postMessage({ network: JSON.parse(network) }, [port2]);
};

onmessage = ({ data: { program, cell, files: given } }) => {
  for (const [path, text] of Object.entries(given)) files.put(path, text);
  run(program, files, cell).then((code) => postMessage({ ended: code }), (error) => postMessage({ failed: String(error) }));
};
