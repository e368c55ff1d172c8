import { registerEnumType } from '@nestjs/graphql';

export const ProjectRoleEnum = { MAINTAINER: 'maintainer', CONTRIBUTOR: 'contributor', READER: 'reader' } as const;
registerEnumType(ProjectRoleEnum, { name: 'ProjectRole' });
