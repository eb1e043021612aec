// Stands in for commander's help and suggestions, which the bundle never asks for: it prints its own.
module.exports = { Help: function Help() {}, stripColor: (text) => text, suggestSimilar: () => '' };
