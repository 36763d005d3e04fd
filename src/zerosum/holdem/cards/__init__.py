"""Cards, ranges and hand strength; no betting.

cards          parse cards, boards and hands; the hands that a board leaves, classes and orders of hands
suits          permutations of the four suits, and which leave a board and two ranges unchanged
ranges         a range, a weight for each of the 1,326 hands, and its notation: "22+, A2s+, KTs:0.5, 25%"
kernels        compiled loops over hands and boards
hand_strength  rank all hands on boards of five cards; exact all-in equity of a range against another
made_hands     what each hand makes on a board: made hands and draws
hand_filter    select hands by description: "top pair with flush draw"
flops          the 1,755 strategically different flops, and short lists that represent them
"""
