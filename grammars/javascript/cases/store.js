import { a, b as c } from "./a.js";
import * as all from 'all';
const fs = require("fs");
export { d } from "./d.js";

/** The most there may be. */
export const LIMIT = 10;
let count = 0, { x, y: renamed } = point;

// Adds.
export default async function add(first, second = () => 1) {
  const inner = (z) => z;
  function nested() {}
  return first;
}

const arrow = async (p) => {
  return p;
};

export class Store extends Base {
  #secret = 1;
  static size = 2;
  handler = () => {};
  constructor(name) {
    super();
    this.onChange = function () {};
  }
  get value() { return 1; }
  static async *pairs() {}
  ["computed"]() {}
}

Store.prototype.clear = function () {};
exports.one = exports.two = function () {};

export const actions = {
  load(path) {},
  save: function (path) {},
  "quoted-key": () => {},
};

const text = `
function notOne() {}
`;
