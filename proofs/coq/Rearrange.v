(** * Tactics for printed files: rearranging terms, and showing that they are defined.

    Every step is an identity that the kernel checks: no constant can change here. *)

From Coq Require Import Reals List Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers.
Open Scope R_scope.

Ltac split_all := repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : _ > _ |- _ => apply Rgt_lt in H
  | H : _ >= _ |- _ => apply Rge_le in H
  end.

Ltac nonzero := repeat split; first
  [ assumption | lra | apply Rgt_not_eq; positive | apply Rlt_not_eq; lra | nra ].

(** Two ways to write one real number. *)
Ltac same_value := first
  [ reflexivity
  | ring
  | field; nonzero
  | (apply sum_ext; intros; same_value)
  | (f_equal; same_value)
  | (apply ln_inv; [positive | positive | unfold Rpower; repeat (rewrite ?ln_mult, ?ln_div, ?ln_sqrt, ?ln_exp by positive); field; nonzero]) ].

(** Close the goal by a theorem of the development, up to [same_value] on both sides. *)
Ltac rearranged T := timeout 20 (intros; split_all; first
  [ eapply T; eauto; lra
  | (eapply Rle_trans; [apply Req_le | eapply Rle_trans; [eapply T | apply Req_le]]);
      try eassumption; try lra; same_value
  | (etransitivity; [ | etransitivity; [eapply T | ]]); try eassumption; try lra; same_value ]).

(** A term is defined: positivity, or linear and quadratic arithmetic. *)
Ltac is_defined := intros; split_all; repeat split; first
  [ assumption | lra | positive | apply Rgt_not_eq; positive | nra | apply Rle_ge; positive ].
