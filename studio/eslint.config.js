// What the linter looks for beside what the compiler says: mistakes, and errors that are swallowed.

import js from "@eslint/js";
import typescript from "typescript-eslint";

export default typescript.config(
  { ignores: ["node_modules", "src/types.ts"] },
  js.configs.recommended,
  ...typescript.configs.recommended,
  {
    rules: {
      "no-empty": ["error", { allowEmptyCatch: false }],
      eqeqeq: "error",
      "no-unused-vars": "off",
      "no-undef": "off", // the compiler knows better
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "@typescript-eslint/no-unused-expressions": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
);
