import { Module } from '@nestjs/common';
import { BrowserSessions } from './browser-sessions.js';

/** What the pages share. */
@Module({ providers: [BrowserSessions], exports: [BrowserSessions] })
export class WebModule {}
