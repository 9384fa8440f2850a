import { applyPartnerProgram } from './apply-partner-program.ts';
import { askBrand } from './ask-brand.ts';
import { requestDiagnostic } from './request-diagnostic.ts';
import type { Tool } from './tool.ts';

/** The catalog: every tool of the service, in the order in which it is published. */
export const TOOLS: readonly Tool[] = [askBrand, requestDiagnostic, applyPartnerProgram];
