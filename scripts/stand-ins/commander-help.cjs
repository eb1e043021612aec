// Replaces commander's help and suggestions in the bundle, because ucctl prints its own help and suggestions.
module.exports = { Help: function Help() {}, stripColor: (text) => text, suggestSimilar: () => '' };
