#!/usr/bin/env node
// Starts the program in this process's place: the same input, output, signals and exit code.

import { spawn } from 'node:child_process';
import { program } from './program.js';

let child;
try {
  child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });
} catch (error) {
  console.error(`wgslab: ${error.message}`);
  process.exit(2);
}
// Ctrl-C reaches the program as well, which then ends by itself.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`wgslab: the program could not be started: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
