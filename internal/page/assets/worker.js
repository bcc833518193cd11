// The judge's Web Worker starts the Go program, and passes messages between it and the
// page. internal/page/webworker defines them. In addition there are:
//
//   {program}                        the compiled judge.wasmgz; the first message to the worker
//   {ready: true}                    the first message from the worker
//   {id, do: 'files', files: {…}}    files for the folder: their text by path, work/add.wgsl
//   {id, ok, …, files: {…}}          an answer, and the files of work/ that changed: their
//                                    text by path, null for a removed file
//   {gone: words}                    the last message, if the judge ends by itself
//
// To stop a request, the page ends the worker and starts another.
'use strict';

importScripts('program.js');

const errors = []; // the last lines of the program's standard error
const files = new Files((descriptor, bytes) => {
  const text = new TextDecoder().decode(bytes);
  if (descriptor === 2) errors.push(text);
  errors.splice(0, errors.length - 20);
});

const waiting = new Set(); // the ids of the running requests

// The program calls this once it is ready, with the function that answers requests.
const begun = new Promise((resolve) => { globalThis.wgslabAnswers = resolve; });

// gone fails the pending requests, because no answer will come.
function gone(words) {
  for (const id of waiting) postMessage({ id, error: 'the judge ended: ' + words });
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
