import type { A } from "./a";
import fs = require("fs");

/** Two of them. */
export type Pair<T> = [T, T];

export interface Shape extends Base {
  readonly area: number;
  scale(by: number): Shape;
  new (x: number): Shape;
}

export enum Mode { Off, On = "on", 'quoted' }

export function pick(a: string): string;
export function pick(a: number): number;
export function pick(a: any): any {
  if (a < 1 && a > 0) return a;
  return a;
}

@Component({ selector: "x" })
export abstract class Store<T> implements Shape {
  private count = 0;
  constructor(readonly area: number, private name?: string) {}
  @Input() protected onChange = (x: T): void => {};
  abstract load(path: string): Promise<T>;
  static of<U>(u: U): Store<U> { return null!; }
}

declare module "outside" {
  export const version: string;
  export function run(): void;
}

declare global {
  interface Window { app: Store<any> }
}

namespace Inner.Deep {
  export const depth = 2;
}

export const identity = <T,>(x: T): T => x;
