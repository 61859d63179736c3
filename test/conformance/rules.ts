import type { Rule } from './rule.js';
import { accessRules } from './rules/access.rules.js';
import { answersRules } from './rules/answers.rules.js';

/** Every rule, in the order in which they run: what is asked of every answer comes last. */
export const RULES: readonly Rule[] = [...accessRules, ...answersRules];
