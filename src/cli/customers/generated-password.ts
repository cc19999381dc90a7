import {randomInt} from 'node:crypto'

/** 256 short words that sound like no other of them and that nobody minds to hear. */
const words = `
  acorn actor album alley amber angle apple april arrow aspen atlas autumn bacon badge bamboo banjo barley basil basket
  beacon beaver bench berry bicycle birch biscuit blanket blossom bottle boulder bridge bronze bucket buffalo butter cabin
  cactus camel camera candle canyon carbon carpet carrot castle cedar cello chalk cherry chess chimney cider cinema circus
  citrus clover cobalt coconut coffee comet copper coral cotton cousin cradle crater cricket crystal curtain dagger dahlia
  daisy dancer desert diamond dinner doctor dolphin domino donkey dragon drummer easel echo elbow eleven ember emerald
  engine falcon family feather fennel ferry fiddle finger flamingo flute forest fossil fountain fruit galaxy garden garlic
  gecko ginger giraffe glacier goblet golden gondola grape gravel guitar hammer harbor harvest hazel helmet hermit hockey
  honey horizon iceberg igloo indigo insect island ivory jacket jaguar jasmine jelly jigsaw jungle kayak kettle kingdom
  kitchen kitten koala ladder lagoon lantern laptop lemon leopard library lilac lizard lobster lumber magnet mango maple
  marble meadow melon memory mirror monkey mosaic mountain muffin museum mustard napkin nectar needle nickel ninety nutmeg
  oasis ocean octopus olive onion opera orange orchid otter oven oyster paddle palace pancake panda paper parrot peanut
  pebble pelican pencil pepper piano picnic pigeon pillow pilot planet pocket pony potato prairie pumpkin puzzle pyramid
  quartz rabbit radio raisin ribbon river robin rocket saddle sailor salad salmon sandal satin saturn scarlet shadow silver
  singer spider spinach squirrel stable sunset swallow table tango temple thunder tiger timber tomato tractor trumpet tulip
  tunnel turtle umbrella valley vanilla velvet violin volcano waffle walnut walrus window zebra
`
  .trim()
  .split(/\s+/)

/** Four words with two digits between each: 52 bits, for a password that is read out and changed at the first sign-in. */
export function generatedPassword(): string {
  const word = (): string => words[randomInt(words.length)] ?? ''
  const digits = (): string => `${randomInt(10)}${randomInt(10)}`
  return [word(), digits(), word(), digits(), word(), digits(), word()].join('-')
}

const numerals = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** How the password is said, letter by letter: `M A P L E, hyphen, four seven, hyphen, …`. */
export const spelled = (password: string): string =>
  password
    .split('-')
    .map((part) => Array.from(part, (one) => numerals[Number(one)] ?? one.toUpperCase()).join(' '))
    .join(', hyphen, ')
