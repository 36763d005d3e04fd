//! A spot on the standard input, then what to do with it, for `race.py`.
//!
//!     board Td9d6hQc        pot 200        stack 900
//!     bets 50%,100%,a       raises 100%,a
//!     oop AsKs:0.5,...      ip ...                      one word after each, a line each
//!     run 10                ten more iterations; prints the seconds they took
//!     until 1.0             solves until so many chips; prints the exploitability, ends

use postflop_solver::*;
use std::io::{stdin, BufRead};
use std::time::Instant;

fn build(words: &dyn Fn(&str) -> String) -> PostFlopGame {
    let board = words("board");
    let card = |at: usize| board.get(at..at + 2).map_or(NOT_DEALT, |text| card_from_str(text).unwrap());
    let cards = CardConfig {
        range: [words("oop").parse().unwrap(), words("ip").parse().unwrap()],
        flop: flop_from_str(&board[..6]).unwrap(),
        turn: card(6),
        river: card(8),
    };
    let sizes = BetSizeOptions::try_from((words("bets").as_str(), words("raises").as_str())).unwrap();
    let both = || [sizes.clone(), sizes.clone()];
    let tree = TreeConfig {
        initial_state: [BoardState::Flop, BoardState::Turn, BoardState::River][board.len() / 2 - 3],
        starting_pot: words("pot").parse().unwrap(),
        effective_stack: words("stack").parse().unwrap(),
        flop_bet_sizes: both(),
        turn_bet_sizes: both(),
        river_bet_sizes: both(),
        ..Default::default()
    };
    let mut game = PostFlopGame::with_config(cards, ActionTree::new(tree).unwrap()).unwrap();
    game.allocate_memory(false);
    game
}

fn main() {
    let mut given: Vec<(String, String)> = Vec::new();
    let mut game: Option<PostFlopGame> = None;
    let mut done = 0;
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let (key, value) = line.split_once(' ').unwrap();
        if key != "run" && key != "until" {
            given.push((key.to_string(), value.to_string()));
            continue;
        }
        let find = |name: &str| given.iter().find(|pair| pair.0 == name).unwrap().1.clone();
        let game = game.get_or_insert_with(|| build(&find));
        if key == "until" {
            println!("{}", solve(game, 1_000_000, value.parse().unwrap(), false));
            return;
        }
        let began = Instant::now();
        for _ in 0..value.parse::<u32>().unwrap() {
            solve_step(game, done);
            done += 1;
        }
        println!("{}", began.elapsed().as_secs_f64());
    }
}
