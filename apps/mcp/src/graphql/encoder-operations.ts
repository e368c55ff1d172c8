/*
 * Changes of a tenant's encoders.
 */

const FIGURES = `fragment FigureFields on EncoderFigures {
  memories done parts setAside questions questionsDone questionsLost }`;

const CHANGE = `fragment ChangeFields on EncoderChange {
  id fromEncoder toEncoder status waitsFor keepDays requestedAt switchedAt keepUntil finishedAt
  figures { ...FigureFields } }
  ${FIGURES}`;

/** Encoders that there are, and changes. */
export const ENCODERS = `
  query Encoders { encoders {
    encoders { encoder language dimensions active ready detail } changes { ...ChangeFields }
  } }
  ${CHANGE}`;

/** What a change would read. */
export const PREVIEW_ENCODER_CHANGE = `
  query PreviewEncoderChange($encoder: String!) { previewEncoderChange(encoder: $encoder) { ...FigureFields } }
  ${FIGURES}`;

/** Begins a change. */
export const CHANGE_ENCODER = `
  mutation ChangeEncoder($input: ChangeEncoderInput!) { changeEncoder(input: $input) { ...ChangeFields } }
  ${CHANGE}`;

/** Ends one before its switch. */
export const CANCEL_ENCODER_CHANGE = `
  mutation CancelEncoderChange($id: ID!) { cancelEncoderChange(id: $id) { ...ChangeFields } }
  ${CHANGE}`;
