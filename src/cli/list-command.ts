import { Command } from 'commander';
import {
  addInputOptions,
  addOutputOptions,
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
  const command = new Command(name).description(description);
  addInputOptions(command);
  addWindowOptions(command);
  addOutputOptions(command);
  return addStoreOptions(command);
}
