import { cpSync, rmSync } from "node:fs";
import { build, defineConfig, type Plugin } from "vite";

const target = "../src/epistrat/studio/assets";

/** The example models become part of the wheel together with the page. */
const examples = (): Plugin => ({
  name: "examples",
  closeBundle() {
    rmSync(`${target}/examples`, { recursive: true, force: true });
    cpSync("../examples", `${target}/examples`, { recursive: true, filter: (file) => !/\.[^./]+$/.test(file.slice(2)) || file.endsWith(".ispl") });
  },
});

/** What is written into films that are saved as files: one script and one style sheet. */
const player = (): Plugin => ({
  name: "player",
  async closeBundle() {
    await build({
      configFile: false,
      logLevel: "error",
      build: {
        outDir: `${target}/assets`,
        emptyOutDir: false,
        target: "es2022",
        lib: { entry: "src/film/player.tsx", name: "film", formats: ["iife"], fileName: () => "player.js", cssFileName: "player" },
      },
      define: { "process.env.NODE_ENV": '"production"' },
    });
  },
});

export default defineConfig({
  build: { outDir: target, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 2000 },
  plugins: [examples(), player()],
});
