import { Command } from 'commander';
import {
  addInputOptions,
  addListOptions,
  addStoreOptions,
  addWindowOptions,
  type InputOptions,
  type OutputOptions,
  type StoreOptions,
} from './options.js';
import type { WindowOptions } from './window.js';

export type ListOptions = InputOptions & StoreOptions & OutputOptions & WindowOptions;

/** A command that reads captures, or a database, and prints a list. */
export function listCommand(name: string, description: string): Command {
  return addStoreOptions(addListOptions(readingCommand(name, description)));
}

/** A list command without what it prints. */
export function readingCommand(name: string, description: string): Command {
  return addWindowOptions(addInputOptions(new Command(name).description(description)));
}
