// The judge's Web Worker starts the Go program, and passes messages between it and the
// page. internal/fronts/page/webworker defines them. In addition there are:
//
//   {program}                        the compiled judge.wasmgz; the first message to the worker
//   {ready: true}                    the first message from the worker
//   {id, do: 'files', files: {…}}    files for the folder: their text by path, work/add.wgsl
//   {id, ok, …, files: {…}}          an answer, and the files of work/ that changed: their
//                                    text by path, null for a removed file
//   {host: 'program', line}          a learner's program makes calls, lastly on this line; it waits
//                                    for nothing that may take long
//   {host: 'go', line}               its call may take long, or the program has ended
//   {gone: words}                    the last message, if the judge ends by itself
//
// To stop a request, the page ends the worker and starts another.
'use strict';

importScripts('program.js', 'gpu.js');

const SAID = 2000; // characters of the program's last words that are kept
let said = ''; // what the program wrote to its standard error
const files = new Files((descriptor, bytes) => {
  if (descriptor !== 2) return;
  said += new TextDecoder().decode(bytes);
  // A crash says first what happened, and then where, at length.
  const crash = said.search(/^(panic|fatal error|runtime): /m);
  said = crash < 0 ? said.slice(-SAID) : said.slice(crash, crash + SAID);
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

const start = (program) => run(program, files).then(() => gone(said), (error) => gone(String(error)));

onmessage = ({ data }) => { data.program ? start(data.program) : handle(data); };
begun.then(() => postMessage({ ready: true }));
