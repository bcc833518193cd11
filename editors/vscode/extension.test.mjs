// The extension's parts without VS Code: the grammar in VS Code's own tokenizer, the language server at the other end of
// VS Code's own protocol library, and the package.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'node:test';
import { Worker } from 'node:worker_threads';

const root = join(import.meta.dirname, '../..');
const installed = join(root, '.build/vscode'), server = join(root, '.build/bin/wgslab');
const skip = !existsSync(join(installed, 'node_modules')) && 'the language client of VS Code is missing: run make vscode';
const noBrowser = !existsSync(join(installed, 'browser/server.wasm')) && 'the language server for browsers is missing: run make vscode';
const require = createRequire(join(installed, 'package.json'));
const here = (name) => readFileSync(join(import.meta.dirname, name), 'utf8');

const right = `@group(0) @binding(0) var<storage, read_write> data: array<f32>;
/* a /* nested */ comment */
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x; // print: i
    if (i < arrayLength(&data)) { data[i] = 0x1p3f + 1.5e-3; }
}
`;

test('the grammar colours a shader', { skip }, async () => {
  const oniguruma = require('vscode-oniguruma'), textmate = require('vscode-textmate');
  await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({ createOnigScanner: (list) => new oniguruma.OnigScanner(list), createOnigString: (text) => new oniguruma.OnigString(text) }),
    loadGrammar: async () => textmate.parseRawGrammar(here('syntaxes/wgsl.tmLanguage.json'), 'wgsl.json'),
  });
  const grammar = await registry.loadGrammar('source.wgsl');
  const scopes = new Map();
  let state = textmate.INITIAL;
  for (const line of right.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const { startIndex, endIndex, scopes: list } of tokens) {
      const text = line.slice(startIndex, endIndex).trim();
      if (!scopes.has(text)) scopes.set(text, list.at(-1));
    }
    state = ruleStack;
  }
  for (const [text, scope] of Object.entries({
    fn: 'keyword.declaration.function.wgsl', main: 'entity.name.function.wgsl', compute: 'entity.name.function.decorator.wgsl',
    let: 'storage.type.wgsl', if: 'keyword.control.wgsl', vec3u: 'support.type.wgsl', read_write: 'constant.language.wgsl',
    '0x1p3f': 'constant.numeric.hex.wgsl', '1.5e-3': 'constant.numeric.wgsl', 64: 'constant.numeric.wgsl',
    print: 'storage.type.class.wgsl', arrayLength: 'entity.name.function.call.wgsl', comment: 'comment.block.wgsl',
  })) assert.equal(scopes.get(text), scope, text);
});

// session starts the server, and ends it after do.
const session = async (work) => {
  const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require('vscode-languageserver-protocol/node');
  const program = spawn(server, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(new StreamMessageReader(program.stdout), new StreamMessageWriter(program.stdin));
  const gone = new Promise((resolve) => program.once('exit', resolve));
  connection.listen();
  try {
    await work(connection);
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    assert.equal(await gone, 0);
  } finally {
    connection.dispose();
    program.kill();
  }
};

test('the language server works with VS Code\'s protocol library', { skip }, () => session(async (connection) => {
  const protocol = require('vscode-languageserver-protocol/node');
  const uri = 'file:///work/matmul.wgsl', textDocument = { uri };
  const told = [];
  const heard = () => new Promise((resolve) => { told.push(resolve); });
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (found) => told.shift()?.(found));
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: null, capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
  });
  assert.ok(capabilities.renameProvider && capabilities.semanticTokensProvider && capabilities.inlayHintProvider);
  await connection.sendNotification(protocol.InitializedNotification.type, {});

  let change = heard();
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'wgsl', version: 1, text: '// 𝄞\nfn f() { int i = 0; }\n' },
  });
  const [wrong] = (await change).diagnostics;
  assert.equal(wrong.severity, protocol.DiagnosticSeverity.Error);
  assert.equal(wrong.range.start.line, 1);
  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, { textDocument, range: wrong.range, context: { diagnostics: [wrong] } });
  assert.match(JSON.stringify(actions[0].edit), /"newText":"var i: i32"/);

  change = heard();
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ text: right }] });
  assert.deepEqual((await change).diagnostics, []);
  const at = (word, after = 0) => {
    const line = right.split('\n').findIndex((text) => text.includes(word));
    return { textDocument, position: { line, character: right.split('\n')[line].indexOf(word) + after } };
  };
  assert.match((await connection.sendRequest(protocol.HoverRequest.type, at('arrayLength', 1))).contents.value, /u32/);
  assert.equal((await connection.sendRequest(protocol.DefinitionRequest.type, at('data[i]', 1))).range.start.line, 0);
  assert.equal((await connection.sendRequest(protocol.ReferencesRequest.type, { ...at('i = id.x'), context: { includeDeclaration: true } })).length, 3);
  const renamed = await connection.sendRequest(protocol.RenameRequest.type, { ...at('i = id.x'), newName: 'row' });
  assert.equal(renamed.documentChanges[0].edits.length, 3);
  await assert.rejects(connection.sendRequest(protocol.RenameRequest.type, { ...at('i = id.x'), newName: 'data' }), /data/);
  const { items } = await connection.sendRequest(protocol.CompletionRequest.type, at('print: i', 'print: i'.length));
  assert.equal(items[0].label, 'i', 'a name in a print comment');
  const { data } = await connection.sendRequest(protocol.SemanticTokensRequest.type, { textDocument });
  assert.equal(data.length % 5, 0);
  assert.ok(data.length > 100);
  const lenses = await connection.sendRequest(protocol.CodeLensRequest.type, { textDocument });
  assert.deepEqual(lenses.map(({ command }) => command.title), ['Check', 'Step through', 'Trace']);

  change = heard();
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 3 }, contentChanges: [{ text: 'fn  f( ) {return;}' }] });
  await change;
  const edits = await connection.sendRequest(protocol.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 4, insertSpaces: true } });
  assert.ok(edits.length > 0);
}));

test('the language server works in a worker, with files that are only in a browser', { skip: noBrowser }, async () => {
  // Node's workers lack what a browser's have.
  const worker = new Worker(`const { parentPort } = require('node:worker_threads');
    globalThis.postMessage = (data) => parentPort.postMessage(data);
    parentPort.on('message', (data) => globalThis.onmessage({ data }));
    ${readFileSync(join(installed, 'browser/worker.js'), 'utf8')}`, { eval: true });
  try {
    const heard = [];
    const until = (right) => new Promise((resolve) => worker.on('message', (message) => { heard.push(message); if (right(message)) resolve(message); }));
    worker.postMessage(readFileSync(join(installed, 'browser/server.wasm')));
    await until((message) => message === 'ready');
    const ask = (id, method, params) => {
      const answer = id && until((message) => message.id === id);
      worker.postMessage({ jsonrpc: '2.0', id, method, params });
      return answer;
    };
    const { result } = await ask(1, 'initialize', { processId: null, rootUri: 'vscode-vfs://github/someone/shaders', capabilities: {} });
    assert.ok(result.capabilities.renameProvider);
    ask(undefined, 'initialized', {});
    const uri = 'vscode-vfs://github/someone/shaders/%C3%BC.wgsl';
    const found = until(({ method }) => method === 'textDocument/publishDiagnostics');
    ask(undefined, 'textDocument/didOpen', { textDocument: { uri, languageId: 'wgsl', version: 1, text: '// 𝄞 ü\nfn f() { int i = 0; }\n' } });
    const { params } = await found;
    assert.equal(params.uri, uri);
    assert.equal(params.diagnostics[0].range.start.line, 1);
    const { result: edits } = await ask(2, 'textDocument/documentSymbol', { textDocument: { uri } });
    assert.equal(edits[0].name, 'f');
  } finally {
    await worker.terminate();
  }
});

test('the debug adapter stops in a shader', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wgslab-vscode-')), program = join(folder, 'try.wgsl');
  const adapter = spawn(server, ['dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    writeFileSync(program, right);
    let seq = 0, heard = '';
    const say = (command, args) => {
      const message = JSON.stringify({ seq: ++seq, type: 'request', command, arguments: args });
      adapter.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    };
    const stopped = new Promise((resolve, reject) => {
      adapter.once('exit', () => reject(new Error(heard)));
      adapter.stdout.on('data', (text) => {
        heard += text;
        if (heard.includes('"event":"initialized"') && seq === 2) {
          say('setBreakpoints', { source: { path: program }, breakpoints: [{ line: 6 }] });
          say('configurationDone', {});
        }
        if (heard.includes('"event":"stopped"')) resolve();
      });
    });
    say('initialize', { adapterID: 'wgslab', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path' });
    say('launch', { program, bind: ['0=f32[8]'] });
    await stopped;
    assert.match(heard, /"reason":"breakpoint"/);
  } finally {
    adapter.removeAllListeners('exit');
    adapter.kill();
    rmSync(folder, { recursive: true });
  }
});

test('the package holds the extension and what it needs, always in the same bytes', { skip: skip || noBrowser }, async () => {
  const { pack } = await import(pathToFileURL(join(import.meta.dirname, 'pack.mjs')));
  const bytes = pack(installed);
  const files = createRequire(join(root, '.build/npm/package.json'))('fflate').unzipSync(bytes);
  const about = JSON.parse(Buffer.from(files['extension/package.json']));
  for (const path of [about.main, about.browser, './browser/worker.js', './browser/server.wasm', about.contributes.languages[0].configuration, about.contributes.grammars[0].path]) {
    assert.ok(files['extension/' + path.slice(2)], path);
  }
  assert.ok(files['extension.vsixmanifest'] && files['extension/LICENSE']);
  assert.ok(files['extension/node_modules/vscode-languageclient/package.json']);
  assert.ok(!Object.keys(files).some((path) => path.includes('textmate')), 'what only tests need');
  assert.deepEqual(pack(installed), bytes);
});
