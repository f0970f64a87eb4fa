// speedscope.js - run the import code of speedscope on the file on standard input.
//
//	node speedscope.js FOLDER <trace.json
//
// FOLDER is that of the npm package, which has one bundle for browsers. The bundle runs with stand-ins
// for what browsers have, without the page that it would show at its end. Prints JSON: the warnings
// that the import gives, and each profile with the names of its frames.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const folder = path.join(process.argv[2], 'dist/release');
const bundle = fs.readFileSync(path.join(folder, fs.readdirSync(folder).find(name => /^speedscope-.*\.js$/.test(name))), 'utf8');
const importer = bundle.match(/Importing as Trace Event Format profile"\),([\w$]+)\(/)[1];
const lazy = bundle.match(new RegExp('function ' + importer.replace('$', '\\$') + '\\(.{0,400}?,([\\w$]+)=re\\(\\(\\)=>', 's'));
const end = bundle.indexOf('console.log(`speedscope v');
const code = bundle.slice(0, end) + ';' + (lazy ? lazy[1] + '();' : '') + 'globalThis.importTrace=' + importer + ';})();';
const stub = new Proxy(function () {}, {
  get: (_, name) => name === Symbol.toPrimitive ? () => '' : name === Symbol.iterator ? undefined : stub,
  set: () => true, apply: () => stub, construct: () => stub, has: () => true,
});
const complaints = [];
const context = {console: {log() {}, warn: (...words) => complaints.push(words.join(' ')), error: (...words) => complaints.push(words.join(' '))},
  document: stub, navigator: stub, location: stub, localStorage: stub, performance: stub, requestAnimationFrame: stub, addEventListener: stub,
  setTimeout, TextDecoder, TextEncoder, URLSearchParams, URL, matchMedia: stub, fetch: stub, Worker: stub, HTMLElement: class {}, Image: stub};
context.window = context.self = context.globalThis = context;
vm.createContext(context);
vm.runInContext(code, context);
complaints.length = 0; // what the page itself says without a browser
const file = JSON.parse(fs.readFileSync(0, 'utf8'));
const group = vm.runInContext('importTrace', context)(file);
console.log(JSON.stringify({complaints, profiles: group.profiles.map(profile => {
  const frames = [];
  profile.forEachFrame(frame => frames.push(frame.name));
  return {name: profile.getName(), total: profile.getTotalWeight(), frames};
})}));
