"""The four words that players at a table compare, and the word list.

The list is ours: 2048 common words, mostly things that are easy to picture. They are chosen to be spoken and not to be
confused: 3 to 8 letters, no two that differ in one letter, no two that sound alike.
"""

from __future__ import annotations

from typing import Final

_LIST: Final = """
abacus abbey account acorn acrobat actor address admiral adobe advice aerosol agate airfield airlift airline airport
airship alarm album alcove alder almanac almond alpaca alphabet altar aluminum amber ambush ammonite ancestor anchor
anemone angel angler animal ankle antelope antenna anthem antique anvil applause apple apricot apron aquarium
aquatic arcade archer archway arctic arena armada armchair armory arrival article artifact artist ascent ashtray
aspen asteroid athlete atom atrium attic auction author autobus autumn avenue avocado awning axle azalea baboon baby
backpack backyard badger badland bagel bagpipe bakery balance balcony ballad balloon ballroom balsam bamboo banana
bandage bandit banjo banker banknote banquet barbecue barbell barber bargain baritone barley barnacle barnyard baron
barrack barrel basalt baseball basement basil basket bassoon bathrobe bathroom bathtub battery bayonet bayou bazaar
beach beacon beagle beaker beanbag beanpole beard beast bedrock bedroom bedtime beehive beeswax beetle beetroot
beggar bellhop bellows beret berry bicycle binder biplane birch birdcage birdsong birthday biscuit bishop bison
blackout blanket blazer bleacher blender blimp blizzard blossom blowfish blubber bluebell bluejay boatyard bobcat
bobsled bodice bolero bolster bonanza bonfire bonnet bonsai bookcase bookend bookmark bookshop bookworm bootlace
boots border botanist bottle boulder bouncer bouquet boutique bowling bowsprit bowtie boxcar boxer bracelet bracket
braid bramble branch brandy brass bread breeze brewery brick bridge brigade brigand brine brisket bristle broccoli
brochure bronze brook brother brownie brush bubble bucket buckle buddy buffalo buffer bugle building bulldog bullet
bullfrog bulrush bumper bungalow burger burgundy burrito burrow butcher butler button buttress buzzard buzzer
cabaret cabbage cabinet cable caboose cactus cadet cafe calico camel camera campaign campfire campsite campus canal
canary candle candy canister cannon canopy canteen canvas capital captain caramel caravan carbon cardigan cardinal
cargo caribou carnival carousel carpet carriage carrot cartoon cascade cashew cashmere casino cassock castle catalog
catapult caterer catfish catkin cauldron cavalry cavern cedar ceiling celery cellar cellist cello cement census
centaur century ceramic cereal ceremony chain chalet chamber champion chandler channel chapel chaplain charcoal
chariot chart chateau checkers cheddar cheek cheese cheetah chemist cherry chess chestnut chicken chief child chime
chimney china chipmunk chisel choir chopper chorale chorus chowder chuckle church cicada cider cigar cinema cinnamon
circle circuit circus cistern citadel citizen citrus clam clarinet cliff climate climber clinic clipper cloak
cloister closet cloth cloud clover clown coach coast cobalt cobbler cobra cobweb cockatoo cockle cockpit cocoa
coconut coffee colander collage collie colony column comb comedy comet comic compass compost computer concert
concord concrete condor cone confetti congress contour convoy cookbook cookie copilot copycat coral corduroy corncob
corner cornmeal coronet corridor corsage cosmos costume cottage cotton cougar country courtier cousin cowbell cowboy
cowgirl coyote crab cracker cradle crane crater crayon cream crescent crevice cricket crimson crochet crocus croquet
crossbar crossbow crouton crow crowbar crucible crumb crumpet crusader crust crystal cubicle cucumber cuisine
cupboard cupcake cupola curator curb currency curry curtain curve cushion custard customer cutlass cutter cyclist
cyclone cyclops cylinder cypress daffodil dahlia dairy dancer darkroom daughter dawn daybreak daydream daylight
dealer debris decade decanter decibel decimal deckhand deer delegate delivery delta dentist derby desk dessert
detector detour diagram dial dialect diameter diamond diary diesel digger dime dinner dinosaur diploma dipper
director dish district ditch doctor dodo dogwood doll dollar dolmen dolphin domain domino donkey doodle doorbell
doorknob doorman doorstep doorway doughnut dove dovetail downpour dragon drapery drawer dressing driver drizzle
dropper drought drum drumbeat dryer duchess duck duckling duet dugout duke dulcimer dumpling dungeon dustpan dynamo
dynasty earmuff earphone earring easter eastward echo eclipse ecology eggplant eggshell elbow elegance elephant
elevator eleven elm embassy emblem emerald emperor empire empress enamel engineer engraver envelope envoy equator
eraser escort espresso evening explorer eyebrow eyeglass eyelash eyelid eyesight facade factory fairway falcon
family fanfare farewell farmer farmland farmyard fastener father faucet feline fellow fence fennel fern ferret
ferryman festival festoon fiction fiddle field fiesta filament film filter finale finch finger fireball firebird
fireman fireside firewood firework fishbowl fishhook fjord flag flagpole flagship flame flamingo flannel flapjack
flask flatboat flatcar flatfish flavor fleece fleet flint floor florist flotilla flute flyover flywheel foghorn
folder foliage folklore football foothill footnote footpath footstep forehead forester forge fork forklift formula
fortress fortune fossil foundry foxglove foxhound foxtrot fragment freeway freezer freight fresco frigate fringe
frisbee fritter frog frontier frost fruit fullback furnace gadget galaxy gallant galleon gallery gallop gambit
gangway garage garbanzo garden gardenia gargoyle garland garlic garment garnet garnish garrison garter gateway
gauntlet gazebo gazelle gearbox gecko gelatin gemini gemstone general genius geranium gerbil geyser gherkin giant
gibbon gimlet gingham giraffe glacier glass glider glitter globe glossary glue gnat gnome goblet goblin goggles gold
goldfish goldmine golfer gondola goose gorilla gospel governor grain granary grandma granite granola grape graphite
gravel gravity gravy greenery griddle gridiron griffin grill grinder grocery grotto grove guard guava guide guild
guitar gulf gumball gumdrop guppy gymnast habitat hacksaw haddock haircut hairpin halfback halibut hallway halo
halter hamlet hammer hammock hamster hand handbag handrail handsaw hangar harbor hardtop hardware harmony harness
harp harpoon harvest hatchet haven hawk hawthorn hayloft hayride haystack hazel hazelnut headband headlamp headset
headwind hearth heather hedge hedgehog heifer heirloom helmet hemline herald herder hermit heron herring hexagon
highland highway hiker hillside hilltop hinge hippo history hive hobnail hockey holiday hollow holly hologram
homespun homework honeybee honeydew hook horizon hornet horsefly horseman hospital hotel hothouse house hubcap
huddle hunter hurdler hydrant hymn ibex iceberg icebox icicle icon igloo ignition impala index indigo inkblot
inkwell inlet intercom iris ironing island ivory ivy jackal jacket jackpot jade jaguar jamboree janitor jar jasmine
jasper javelin jaybird jazz jeans jeep jelly jersey jester jetty jewel jigsaw jingle jogger jonquil jotter journal
journey joystick jubilee judge jug juggler juice jukebox junction juniper junk junket junkyard kale kangaroo kayak
kebab keel keepsake kelp kerosene kestrel ketchup kettle keyboard keychain keyhole keynote khaki kickball kidney
kiln kilogram kimono kindling king kingdom kingpin kiosk kitchen kite kitten kiwi knapsack knee knife knight knocker
knoll knot koala lacewing lacrosse ladder ladle lady ladybug lagoon lake lakeside lamp landlord landmark lantern
lapdog lapel lark lasso latch latchkey latitude lattice laundry laurel lava lavender lawyer leaflet leapfrog lecture
ledger legend legion legume leisure lemon lemonade lemur lentil leopard lesson letter lettuce level library lifeboat
lifeline lighter lilac lily linen lining lintel lion lipstick lizard llama lobby lobster locker locust lodge loft
logbook lollipop longboat longbow longhorn lookout loom lotion lotus lounge lowland luggage lullaby lyric macaroni
macaw machine maestro magazine magenta magician magma magnet magnolia magpie mahogany mailbag mailbox mailman
mainland mainsail mallard mallow mammal mandolin mango mangrove manor mansion mantis mantle manual maple marathon
marble mariachi marigold marinade marker marmot marquee martin marzipan mascot mason mast matador mattress mayfly
maze meadow mealtime measure meatball medal medic medicine melody melon menu merchant mercury meringue merlin meteor
method metro midday midland midnight milepost milk milkman millet mimosa minaret mineral minnow minstrel mint minuet
minute miracle mirage mirror mixer mixture moat moccasin mocha model molar molecule molehill money mongoose monitor
monk monocle monorail monster month monument moon moonbeam morning morsel mosaic moss mother motif motorway mountain
movie mud muffin muffler mulberry mule museum mushroom music muskrat muslin mustache mustang napkin narrator narwhal
nature navy nebula necklace nectar needle neighbor neon nestling network newsboy newsreel newt nickel nickname
nightcap noble nocturne nomad noonday north nose notebook notepad novel november nozzle nugget number nursery nutmeg
nutshell oak oasis oatmeal obelisk oboe ocean ocelot octagon octave octopus officer olive omega omelet onion onyx
opal opera orange orator orbit orchard orchid oregano organ origami oriole orphan osprey ostrich outback outboard
outfield outlaw outline outpost oven overalls overcoat overpass overture owl oyster package paddle padlock pagoda
pail painting pajamas palace paladin palette palm panama pancake panda panel pantheon panther pantry papaya paper
paprika parade paradise parakeet parasol parcel parent parish parka parlor parsley parsnip partner party passage
passport password pasta pastel pasture pathway patio patriot patrol pattern pavement pavilion payload peacock peak
peanut pearl pebble pecan peddler pedestal pelican pencil pendant pendulum penguin penknife penny pepper perch
perfume pergola petunia pewter pharmacy pheasant phone photo phrase pianist piano piccolo pickax picket pickle
picnic picture pigeon pigment pilchard pillar pillow pilot pinball pinecone pink pinwheel pioneer pipe pipeline
pirate piston pitcher pitfall pixel pixie pizza placard placemat plaid planet plankton planner plaster plastic plate
plateau platinum platypus playback playmate plaza plumage plumber plywood podium poem poetry pointer polaroid
polestar pollen polygon pompom poncho pond pontoon popcorn poplar poppy porpoise porridge portal porter porthole
portrait postage postbox postcard postcode postman potato pottery powder practice prairie prawn present pretzel
primate primrose prince princess prism prize project pudding pueblo puffball pulley pullover puma pumpkin punch
pupil puppet purple purse pushcart puzzle pyramid python quadrant quarry quarter quartz queen question quiche quilt
quintet quiver quiz rabbit raccoon racecar racer radar radiator radio raft ragtime railcar railing railroad rainbow
raincoat raindrop raisin rampart ranger raptor rattler ravine ravioli razor reactor receipt recipe recorder redwood
reef referee refinery refuge register reindeer relay relish remedy reporter reptile republic resort retina revolver
reward rhino ribs rice rickshaw rifle ringlet ripple riverbed rivet road roadster robin robot rodent rodeo roller
romance roof roommate rooster rope rosebud rosebush rosemary rosewood rotunda rowboat royalty rubber ruby rucksack
rudder ruler rumble runner runway rustler rye saber safari saffron saga sailboat sailfish sailor salad salami salmon
salsa salt salute sample samurai sandal sandbox sandwich sapling sapphire satchel satin saturn saucer sausage
savanna sawdust sawhorse sawmill sawtooth scabbard scaffold scale scallion scallop scanner scarf scarlet scenery
scholar school schooner science scissors scooter scorpion scout scraper screen screw scribe script scroll sculptor
scythe seafarer seafood seagull seahorse seal seaport seashell seashore season seawall seaweed secret seedling
senator sentinel sequence sequoia sergeant settee settler seven shadow shampoo shamrock shark shawl shears sheep
shelf shelter shepherd sherbet sheriff shield shilling shingle ship shipment shipyard shirt shoal shoebill shoebox
shoelace shopping shore shoulder shovel shower showroom shrimp shrine shutter shuttle sidecar sidewalk signal
signpost silence silkworm silo silver siren sister sitar sizzle skate skeleton sketch skillet skin skipper skunk
skydiver skylark skylight skyline sled sleeve sleigh slide sling slipknot slipway slogan slope smile smithy smoke
smoothie snack snail snake snapper sneaker snippet snorkel snow snowball snowdrop snowman snowshoe soap soccer
socket softball soldier solstice sombrero sonar sonata song songbird songbook soprano sorbet sorrel south souvenir
spade sparkler sparrow spear spectrum speedway sphere sphinx spice spider spinach spindle spiral spirit splash
sponge spool sport spring sprinter sprout spruce spyglass squadron square squid squirrel stable staff stage stair
stairway stamp starfish starling starship station steak steamer steel stencil step steward sticker stilts stitch
stockade stocking stomach stone stopper storage storm stranger straw stream street stripe stroller student studio
sturgeon subject subway suitcase summer summit sunbeam sunblock sunburn sundae sundial sunlight sunrise sunroof
sunset sunshine supper surfer surprise survivor sushi swallow swan sweater sweeper swift swimmer sword syllable
symbol symphony syrup tablet tabletop tackle taco tadpole tailcoat tailgate tamarind tangle tank tanner tapestry
tapir tartan tassel taxi teacher teacup teahouse team teapot teardrop tearoom teaspoon teddy teeth telegram temple
tempo tennis tentacle tepee termite terrace terrier textbook thatch theater theorem thermos thicket thimble thistle
thorn thread thriller throat throne thrush thumb thunder thyme tiara tideland tiger tile timber tinfoil tinker
tinsel titan toaster toddler toenail tofu toga token tomato tool toolbox topaz topcoat topic torch tortoise totem
tower town townhall township toy track tractor trader trailer transit trapdoor trapeze traveler tray treasure tree
treetop trench trestle triangle trickle tricycle trident trinket trio tripod trolley trombone troop trophy tropics
trousers trout trowel truffle trunk tube tugboat tulip tumbler tuna tundra tunnel turban turbojet turkey turmeric
turnip turnpike turtle tuxedo twig twilight twine twinkle tycoon ukulele umbrella uncle unicorn uniform universe
upright upstairs vacuum valley valve vanilla vapor vase vault vehicle veil velvet veranda verse vespers vessel vest
viaduct vicar viceroy victory video view viking villager vine vinegar vineyard vinyl viola violet violin visitor
visor vitamin voice volcano volume vortex voyage wafer waffle wagon wagtail waiter waitress walker walkway wallaby
wallet walnut walrus waltz warbler wardrobe washbowl washday washtub wasp watchdog watchman waterway wavelet waxwing
waxwork wayside weasel weaver wedding weekday weekend welder westward wetland wharf wheat wheel whippet whistler
widget wildcat wildfire wildlife wind windfall window windsock winery wingspan winter wire wishbone wisteria wolf
woman wombat wood woodland woodpile woodwind woodwork workbook workroom workshop world worm wrapper wreath wren
wrestler yachting yarn yarrow yearbook yeoman yogurt zebra zenith zero zigzag zinnia zodiac zoo zucchini
"""

WORDS: Final[tuple[str, ...]] = tuple(_LIST.split())
"""2048 distinct words, sorted: a word is worth 11 bits."""


def spell(digest: bytes, count: int) -> tuple[str, ...]:
    """Returns the first `count` times 11 bits of `digest` as words, most significant first.

    Raises ValueError if `digest` is too short.
    """
    size = -(-count * 11 // 8)
    if len(digest) < size:
        raise ValueError(f"{count} words take {size} bytes, not {len(digest)}")
    bits = int.from_bytes(digest[:size], "big") >> (8 * size - 11 * count)
    return tuple(WORDS[bits >> 11 * place & 0x7FF] for place in reversed(range(count)))


def phrase(digest: bytes) -> tuple[str, str, str, str]:
    """Returns four words from the first 44 bits of `digest`. Raises ValueError if `digest` is shorter than 6 bytes."""
    first, second, third, fourth = spell(digest, 4)
    return first, second, third, fourth
