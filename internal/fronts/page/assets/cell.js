// The Web Worker that runs a notebook's Go cell once. As in GoNB, each cell is its own
// program. The page sends {program, cell: 'NOTEBOOK/CELL', files: {…}}: the compiled program
// and the files of work/ by path. It receives the cell's output, in order:
//
//   {display: {…}, place}      a display by MIME type; unless place is '', it replaces
//                              the earlier display in the same place
//   {printed: words, stream}   what the cell printed to 'stdout' or 'stderr'
//   {network: {…}} and a port  asks for a drawing sheet (internal/networks/draw/assets/worker.js)
//   {ended: code}              the cell ended, with 0 for success
//   {failed: words}            the cell could not run
//
// To stop a cell, the page ends the worker.
'use strict';

importScripts('program.js', 'gpu.js'); // a cell of lesson 7 runs the learner's host

const decoders = [1, 2].map(() => new TextDecoder()); // a write may end in the middle of a character
const files = new Files((descriptor, bytes) => {
  const printed = decoders[descriptor - 1].decode(bytes, { stream: true });
  postMessage({ printed, stream: descriptor === 1 ? 'stdout' : 'stderr' });
});

// pkg/show uses the first for displays; internal/networks/draw uses the second to ask for a drawing sheet.
globalThis.wgslabDisplay = (place, display) => postMessage({ display, place });
globalThis.wgslabDraw = (network, answer, teach, why) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: { id, image, framing, off, sign, question } }) => {
    const reply = (text) => port1.postMessage({ id, ...JSON.parse(text) });
    if (sign) teach(JSON.stringify(sign), reply);
    else if (question) why(image, JSON.stringify(question), reply);
    else answer(image, framing, off, reply);
  };
  postMessage({ network: JSON.parse(network) }, [port2]);
};

onmessage = ({ data: { program, cell, files: given } }) => {
  for (const [path, text] of Object.entries(given)) files.put(path, text);
  run(program, files, cell).then((code) => postMessage({ ended: code }), (error) => postMessage({ failed: String(error) }));
};
