import { askBrand } from './ask-brand.ts';
import type { Tool } from './tool.ts';

/** The catalog: every tool of the service, in the order in which it is published. */
export const TOOLS: readonly Tool[] = [askBrand];
