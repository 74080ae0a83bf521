import { integerId } from '../../kernel/operation/schema.ts';

export const targetProjectInput = integerId.meta({ description: 'The new project.', example: 7 });
