// The judge's Web Worker: it starts the program, which is Go, and passes messages
// between it and the page. internal/page/worker says what they are. Beyond those:
//
//   {program}                        is the compiled judge.wasmgz, and comes first
//   {ready: true}                    is told first
//   {id, do: 'files', files: {…}}    gives the folder files: their text by path, work/add.wgsl
//   {id, ok, …, files: {…}}          an answer, and the files of work/ that changed: their
//                                    text by path, null for one that is gone
//   {gone: words}                    is told last, when the judge has ended by itself
//
// To stop what is under way, the page ends the worker and starts another.
'use strict';

importScripts('program.js');

const errors = []; // the last lines of the program's standard error
const files = new Files((descriptor, bytes) => {
  const text = new TextDecoder().decode(bytes);
  if (descriptor === 2) errors.push(text);
  errors.splice(0, errors.length - 20);
});

const waiting = new Set(); // the ids of what is under way

// The program calls this when it has begun, with the function that answers requests.
const begun = new Promise((resolve) => { globalThis.wgslabAnswers = resolve; });

// gone tells whoever waits that no answer will come.
function gone(words) {
  for (const id of waiting) postMessage({ id, error: 'the judge has ended: ' + words });
  postMessage({ gone: words });
  close();
}

async function handle({ id, ...request }) {
  if (request.do === 'files') {
    for (const [path, text] of Object.entries(request.files)) files.put(path, text);
    postMessage({ id, ok: true });
    return;
  }
  waiting.add(id);
  const answer = await begun;
  answer(JSON.stringify(request), (view) => postMessage({ id, display: JSON.parse(view) }), (reply) => {
    waiting.delete(id);
    const told = JSON.parse(reply);
    if (told.error !== undefined) {
      postMessage({ id, error: told.error });
      return;
    }
    const changed = files.takeChanged();
    postMessage({ id, ok: true, ...told, ...(Object.keys(changed).length > 0 && { files: changed }) });
  });
}

const start = (program) => run(program, files).then(() => gone(errors.join('')), (error) => gone(String(error)));

onmessage = ({ data }) => { data.program ? start(data.program) : handle(data); };
begun.then(() => postMessage({ ready: true }));
