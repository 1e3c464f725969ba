// Loads the bundle with a stand-in for the editor: all contributed commands are registered, and a server that cannot be started is
// reported in words.  Run by `npm test` after a build.
const assert = require("node:assert");
const Module = require("node:module");
const path = require("node:path");

const manifest = require("../package.json");
const registered = new Map();
const messages = [];

/** Something that can be called, constructed, extended and asked for any property. */
function anything() {
  class Anything {}
  return new Proxy(Anything, {
    get: (target, name) => {
      if (name === "prototype" || name === Symbol.toPrimitive) return target[name];
      if (name === "then") return undefined;
      if (!(name in target)) target[name] = anything();
      return target[name];
    },
    apply: () => anything(),
  });
}

const vscode = anything();
vscode.version = "1.91.0";
vscode.env.language = "en";
vscode.EventEmitter = class {
  event = () => ({ dispose() {} });
  fire() {}
  dispose() {}
};
vscode.workspace.textDocuments = [];
vscode.workspace.workspaceFolders = undefined;
vscode.commands.registerCommand = (name, run) => registered.set(name, run);
vscode.workspace.getConfiguration = () => ({ get: (name) => ({ command: "no-such-command", seconds: 60 })[name] });
vscode.workspace.onDidChangeConfiguration = () => ({ dispose() {} });
vscode.window.activeTextEditor = undefined;
vscode.window.showErrorMessage = async (text) => void messages.push(text);
vscode.window.showInformationMessage = async (text) => void messages.push(text);

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function main() {
  const extension = require(path.join(__dirname, "..", manifest.main));
  await extension.activate({ subscriptions: [] });
  const contributed = manifest.contributes.commands.map((one) => one.command).sort();
  assert.deepStrictEqual([...registered.keys()].sort(), contributed);
  assert.ok(messages.some((text) => text.includes("no-such-command lsp") && text.includes("pip install")), messages.join("\n"));
  await registered.get("epistrat.simulate")();
  assert.strictEqual(messages.at(-1), "Open an ISPL model first.");
  await extension.deactivate();
  console.log("the bundle activates");
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
