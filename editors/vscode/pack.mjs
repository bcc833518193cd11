// Packs the extension: node pack.mjs FOLDER OUT.vsix, where FOLDER has the installed dependencies. A .vsix is a zip with a
// manifest and the folder extension/. Two runs give the same bytes.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const inBrowser = ['client.js', 'worker.js', 'server.wasm']; // what setup/vscode.sh builds
const own = ['package.json', 'extension.js', 'language-configuration.json', 'syntaxes/wgsl.tmLanguage.json', 'README.md'];
const { zipSync } = createRequire(join(here, '../../.build/npm/package.json'))('fflate');

// filesIn lists the files below a folder that a program needs, by their paths in it.
const filesIn = (folder, prefix = '') => readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
  const path = prefix + entry.name;
  if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(folder, path + '/');
  return /\.(d\.[cm]?ts|map|tsbuildinfo)$/.test(entry.name) ? [] : [path];
});

// escaped returns a text for XML.
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

const manifest = ({ name, displayName, description, version, publisher, engines, categories, keywords, repository }) => `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped([...keywords, '__web_extension'].join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <License>extension/LICENSE</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace,web"/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Source" Value="${escaped(repository.url)}"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
  </Assets>
</PackageManifest>
`;

// types names the type of each file by the end of its name, as the format of packages wants it. A file without an ending
// is named itself.
const types = (paths) => {
  const ends = new Set(paths.flatMap((path) => /\.(\w+)$/.exec(path)?.[1].toLowerCase() ?? []));
  const bare = paths.filter((path) => !/\.\w+$/.test(path));
  const known = { json: 'application/json', js: 'application/javascript', md: 'text/markdown', wasm: 'application/wasm', vsixmanifest: 'text/xml' };
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${[...ends].sort().map((end) => `  <Default Extension=".${end}" ContentType="${known[end] ?? 'text/plain'}"/>`).join('\n')}
${bare.map((path) => `  <Override PartName="/${path}" ContentType="text/plain"/>`).join('\n')}
</Types>
`;
};

// pack returns the bytes of the .vsix.
export const pack = (installed) => {
  const about = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'));
  const files = { 'extension.vsixmanifest': Buffer.from(manifest(about)), 'extension/LICENSE': readFileSync(join(here, '../../LICENSE')) };
  for (const path of own) files['extension/' + path] = readFileSync(join(here, path));
  for (const path of inBrowser) files['extension/browser/' + path] = readFileSync(join(installed, 'browser', path));
  for (const [folder, { dev }] of Object.entries(packages)) {
    if (folder === '' || dev) continue;
    for (const path of filesIn(join(installed, folder))) files[`extension/${folder}/${path}`] = readFileSync(join(installed, folder, path));
  }
  const paths = Object.keys(files).sort();
  files['[Content_Types].xml'] = Buffer.from(types(paths));
  return zipSync(Object.fromEntries(['[Content_Types].xml', ...paths].map((path) => [path, files[path]])), { mtime: new Date(1980, 0, 1) });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , installed, out] = process.argv;
  const bytes = pack(installed);
  writeFileSync(out, bytes);
  console.log(`${out}: ${(bytes.length / 1e6).toFixed(2)} MB`);
}
