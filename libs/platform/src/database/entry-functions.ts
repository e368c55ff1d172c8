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

/** Who somebody is to a provider (OpenID Connect). */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** Why somebody goes to a provider: to sign in, to redeem a one-time code, or to link the identity with a user. */
export type OidcPurpose =
  | { readonly purpose: 'sign-in' }
  | { readonly purpose: 'invitation'; readonly codeHash: Uint8Array }
  | ({ readonly purpose: 'link' } & SessionIds);

export interface NewOidcFlow {
  readonly stateHash: Uint8Array;
  readonly address: string;
  readonly lifeSeconds: number;
  readonly why: OidcPurpose;
}

/** A tenant in which somebody is known by an identity. */
export interface KnownTenant {
  readonly tenantId: string;
  readonly tenantName: string;
}

/** A browser's session to open for whom a provider vouched. */
export interface OpenByIdentityInput extends ProviderIdentity {
  readonly tenantId: string;
  readonly client: string;
  readonly keyHash: Uint8Array;
  readonly lifeSeconds: number;
}

/** The same with a one-time code, which the identity is linked by. */
export type RedeemWithIdentityInput = RedeemInBrowserInput & ProviderIdentity;

/** Ways in through a provider. */
export interface ProviderDoor {
  /** Whether it was started: false where too many are on their way. */
  readonly startOidcFlow: (flow: NewOidcFlow) => Promise<boolean>;
  /** Ends a flow, once. */
  readonly takeOidcFlow: (stateHash: Uint8Array) => Promise<OidcPurpose | null>;
  readonly findIdentities: (identity: ProviderIdentity) => Promise<KnownTenant[]>;
  readonly openByIdentity: (input: OpenByIdentityInput) => Promise<SessionIds | null>;
  /** @throws a unique violation when the identity is somebody's in that tenant already; the code stays good */
  readonly redeemWithIdentity: (input: RedeemWithIdentityInput) => Promise<SessionIds | null>;
}

/** Ways in through a browser: its own session, and devices that it answers. `null` answers "no such thing". */
export interface EntryDoor extends ProviderDoor {
  readonly redeemInBrowser: (input: RedeemInBrowserInput) => Promise<SessionIds | null>;
  readonly findBrowser: (keyHash: Uint8Array) => Promise<SessionIds | null>;
  /** `taken`: another device waits under this user code; `full`: too many wait. */
  readonly createDeviceCode: (device: NewDeviceCode) => Promise<'made' | 'taken' | 'full'>;
  /** By any of the hashes that keys of ours may have made of one user code. */
  readonly findDeviceCode: (userHashes: readonly Uint8Array[]) => Promise<WaitingDevice | null>;
  readonly redeemDeviceCode: (input: RedeemDeviceInput) => Promise<DeviceAnswer | null>;
}
