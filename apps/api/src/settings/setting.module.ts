import { Module } from '@nestjs/common';
import { SettingResolver } from './setting.resolver.js';
import { SettingsService } from './settings.service.js';

@Module({ providers: [SettingsService, SettingResolver] })
export class SettingModule {}
