// WGSL in VS Code: the language server and the debug adapter are the program wgslab, this only starts them.

'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

// program returns the command of wgslab in the settings.
const program = () => vscode.workspace.getConfiguration('wgslab').get('path') || 'wgslab';

// start starts the language server. Without the program there are still colours.
const start = async () => {
  const command = program();
  client = new LanguageClient('wgslab', 'WGSL', { command, args: ['lsp'] }, { documentSelector: [{ language: 'wgsl' }] });
  try {
    await client.start();
  } catch { // the client has said why
    client = undefined;
    const settings = 'Open the setting';
    const chosen = await vscode.window.showErrorMessage(`The program \`${command}\` could not be started. Install wgslab, or set its path.`, settings);
    if (chosen === settings) vscode.commands.executeCommand('workbench.action.openSettings', 'wgslab.path');
  }
};

const stop = async () => {
  const running = client;
  client = undefined;
  await running?.stop();
};

// whole fills in a configuration that F5 started without a launch.json.
const whole = (folder, configuration) => {
  const document = vscode.window.activeTextEditor?.document;
  if (configuration.type || document?.languageId !== 'wgsl') return configuration;
  return { type: 'wgslab', request: 'launch', name: 'This exercise', program: '${file}', exercise: '${fileBasenameNoExtension}' };
};

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('wgslab.restart', async () => { await stop(); await start(); }),
    vscode.debug.registerDebugConfigurationProvider('wgslab', { resolveDebugConfiguration: whole }),
    vscode.debug.registerDebugAdapterDescriptorFactory('wgslab', {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(), ['dap']),
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('wgslab.path')) { await stop(); await start(); }
    }),
  );
  await start();
};

exports.deactivate = stop;
