import { cpSync, rmSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const target = "../src/epistrat/studio/assets";

/** The example models become part of the wheel together with the page. */
const examples = (): Plugin => ({
  name: "examples",
  closeBundle() {
    rmSync(`${target}/examples`, { recursive: true, force: true });
    cpSync("../examples", `${target}/examples`, { recursive: true, filter: (file) => !/\.[^./]+$/.test(file.slice(2)) || file.endsWith(".ispl") });
  },
});

export default defineConfig({
  build: { outDir: target, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 2000 },
  plugins: [examples()],
});
