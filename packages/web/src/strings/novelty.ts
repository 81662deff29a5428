/** The words around samples of none of the known levels. */
export const noveltyText = {
  novelty: {
    now: 'None of the known levels: unlike every sample that people have told.',
    question: 'This sample is unlike every sample that people have told. It may be of none of these levels.',
    none: 'None of these levels',
    name: 'Name of the new level',
    add: 'Add the level and answer',
    cancel: 'Cancel',
    title: 'Unknown states',
    every: 'Samples per false alarm, at least',
    everyHint: '10 to 10,000. Leave empty to turn this off.',
  },
}
