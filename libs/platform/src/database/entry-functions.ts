/** A session by ids. */
export interface SessionIds {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** A one-time code redeemed in a browser; hashes are SHA-256 of what the browser holds. */
export interface RedeemInBrowserInput {
  readonly codeHash: Uint8Array;
  readonly client: string;
  readonly keyHash: Uint8Array;
  readonly lifeSeconds: number;
}

/** A device that asks to be let in. The hash of the short user code is keyed. */
export interface NewDeviceCode {
  readonly deviceHash: Uint8Array;
  readonly userHash: Uint8Array;
  readonly client: string;
  readonly address: string;
  readonly lifeSeconds: number;
}

/** A device that waits for an answer, as the person who answers is shown it. */
export interface WaitingDevice {
  readonly id: string;
  /** What the device calls itself. */
  readonly client: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The refresh token to open a login with, should the device have been approved. */
export interface RedeemDeviceInput {
  readonly deviceHash: Uint8Array;
  readonly refreshHash: Uint8Array;
  readonly keyId: string;
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

/** What one poll of a device came to; `slow_down`: it asked again too early. */
export type DeviceAnswer =
  { readonly status: 'pending' | 'slow_down' | 'denied' | 'expired' } | ({ readonly status: 'opened' } & SessionIds);

/** Ways in through a browser: its own session, and devices that it answers. `null` answers "no such thing". */
export interface EntryDoor {
  readonly redeemInBrowser: (input: RedeemInBrowserInput) => Promise<SessionIds | null>;
  readonly findBrowser: (keyHash: Uint8Array) => Promise<SessionIds | null>;
  /** `taken`: another device waits under this user code; `full`: too many wait. */
  readonly createDeviceCode: (device: NewDeviceCode) => Promise<'made' | 'taken' | 'full'>;
  /** By any of the hashes that keys of ours may have made of one user code. */
  readonly findDeviceCode: (userHashes: readonly Uint8Array[]) => Promise<WaitingDevice | null>;
  readonly redeemDeviceCode: (input: RedeemDeviceInput) => Promise<DeviceAnswer | null>;
}
