// The client of `epistrat lsp`, and commands that start epistrat in a terminal.  Everything the editor knows of a model comes from
// the server.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const commands: Record<string, () => unknown> = {
    "epistrat.checkFile": () => withModel((document) => onServer("epistrat.check", document)),
    "epistrat.stopChecks": () => withModel((document) => onServer("epistrat.cancel", document)),
    "epistrat.simulate": () => withModel((document) => inTerminal("simulate", document)),
    "epistrat.studio": () => withModel((document) => inTerminal("studio", document)),
    "epistrat.restart": restart,
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("epistrat")) {
        void restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

function command(): string {
  return vscode.workspace.getConfiguration("epistrat").get("command") || "epistrat";
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: command(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "ispl" }],
    initializationOptions: { seconds: vscode.workspace.getConfiguration("epistrat").get("seconds") },
    middleware: { executeCommand: carryOut },
  };
  client = new LanguageClient("epistrat", "epistrat", server, options);
  try {
    await client.start();
  } catch (error) {
    const settings = "Open the settings";
    const words = `epistrat cannot be started as \`${command()} lsp\`: ${error instanceof Error ? error.message : error}. `;
    const advice = "Install it with pip install 'epistrat[lsp]', or set epistrat.command.";
    void vscode.window.showErrorMessage(words + advice, settings).then((chosen) => {
      if (chosen === settings) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "epistrat.command");
      }
    });
  }
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  if (old?.state === State.Running) {
    await old.stop();
  }
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

/** Runs a command of the server; what it tells in words is shown beside the model. */
async function carryOut(name: string, args: unknown[], next: (name: string, args: unknown[]) => unknown): Promise<unknown> {
  const result = await next(name, args);
  if (name === "epistrat.why" && typeof result === "string") {
    const shown = await vscode.workspace.openTextDocument({ content: result, language: "plaintext" });
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
  }
  return result;
}

async function withModel(use: (document: vscode.TextDocument) => unknown): Promise<unknown> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "ispl") {
    return vscode.window.showInformationMessage("Open an ISPL model first.");
  }
  return use(document);
}

async function onServer(name: string, document: vscode.TextDocument): Promise<void> {
  if (client?.state !== State.Running) {
    await vscode.window.showErrorMessage("The language server of epistrat is not running: see epistrat.command in the settings.");
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  try {
    const result = await client.sendRequest("workspace/executeCommand", { command: name, arguments: [uri] });
    if (Array.isArray(result)) {
      const verdicts = result.map((one: { verdict: string }) => one.verdict);
      const counted = ["holds", "fails", "unknown"].map((verdict) => [verdict, verdicts.filter((one) => one === verdict).length]);
      const words = counted.filter(([, count]) => count).map(([verdict, count]) => `${verdict}: ${count}`);
      vscode.window.setStatusBarMessage(`epistrat: ${words.join(", ")}`, 10_000);
    }
  } catch (error) {
    await vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** Saves the model and starts a command on it, without a shell, so that no file name can be mistaken for something else. */
async function inTerminal(verb: string, document: vscode.TextDocument): Promise<void> {
  if (document.isUntitled || document.uri.scheme !== "file" || !(await document.save())) {
    await vscode.window.showInformationMessage("Save the model to a file first.");
    return;
  }
  const name = `epistrat ${verb}`;
  vscode.window.createTerminal({ name, shellPath: command(), shellArgs: [verb, document.uri.fsPath] }).show();
}
