// The extension for VS Code in a browser, such as vscode.dev. The language server is WebAssembly in a Web Worker.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/browser');

let client, worker;

// begun returns the worker as soon as the server in it listens.
const begun = async ({ extensionUri }) => {
  const file = (name) => vscode.Uri.joinPath(extensionUri, 'browser', name);
  const made = new Worker(file('worker.js').toString(true));
  const listens = new Promise((resolve, reject) => {
    made.onmessage = resolve;
    made.onerror = (event) => reject(new Error(event.message));
  });
  made.postMessage(await vscode.workspace.fs.readFile(file('server.wasm')));
  await listens;
  return made;
};

exports.activate = async (context) => {
  context.subscriptions.push(vscode.debug.registerDebugConfigurationProvider('wgslab', {
    resolveDebugConfiguration: () => {
      vscode.window.showErrorMessage('The debugger needs the program wgslab, which a browser can\'t start. Open this folder in VS Code on your machine.');
    },
  }));
  worker = await begun(context);
  client = new LanguageClient('wgslab', 'WGSL', { documentSelector: [{ language: 'wgsl' }] }, worker);
  await client.start();
};

exports.deactivate = async () => {
  await client?.stop();
  worker?.terminate();
};
