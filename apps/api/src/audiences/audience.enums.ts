import { registerEnumType } from '@nestjs/graphql';
import { AUDIENCE_ACTIONS, type AudienceAction } from '@tempera/platform';

export const AudienceActionEnum: Readonly<Record<string, AudienceAction>> = Object.fromEntries(
  AUDIENCE_ACTIONS.map((action) => [action.toUpperCase(), action]),
);
registerEnumType(AudienceActionEnum, { name: 'AudienceAction' });
