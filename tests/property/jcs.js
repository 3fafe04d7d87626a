// RFC 8785 by the language that defines its numbers: one JSON document a line in, its canonical form a line out.
"use strict";

function canonical(value) {
  if (Array.isArray(value)) {
    return "[" + value.map(canonical).join(",") + "]";
  }
  if (value !== null && typeof value === "object") {
    const members = Object.keys(value).sort(); // by UTF-16 code units
    return "{" + members.map((key) => JSON.stringify(key) + ":" + canonical(value[key])).join(",") + "}";
  }
  return JSON.stringify(value);
}

const lines = require("fs").readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
process.stdout.write(lines.map((line) => canonical(JSON.parse(line)) + "\n").join(""));
