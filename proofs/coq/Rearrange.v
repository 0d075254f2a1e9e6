(** * Tactics for printed files: signs, rearrangement of terms, definedness.

    Every step is checked by the kernel: no constant can change here. *)

From Coq Require Import Reals List Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers.
Open Scope R_scope.

Lemma ln_one_plus_nonneg t : 0 <= t -> 0 <= ln (1 + t).
Proof. intros. apply ln_nonneg. lra. Qed.

Lemma nonzero_of_pos x : 0 < x -> x <> 0.
Proof. lra. Qed.

Lemma nonzero_of_neg x : x < 0 -> x <> 0.
Proof. lra. Qed.

Lemma log_plus_nonneg x : 0 <= log_plus x.
Proof. apply Rmax_l. Qed.

(** Hypotheses in one shape: conjunctions split, [>] and [>=] turned. *)
Ltac split_all := repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : _ > _ |- _ => apply Rgt_lt in H
  | H : _ >= _ |- _ => apply Rge_le in H
  end.

(** Goals [0 < t] and [0 <= t] by the shape of [t]. *)
Ltac sign := first
  [ assumption
  | lra
  | lazymatch goal with
    | |- 0 < exp _ => apply exp_pos
    | |- 0 < Rpower _ _ => apply Rpower_pos
    | |- 0 < PI => exact PI_RGT_0
    | |- 0 < _ + _ => first [apply Rplus_lt_0_compat; sign | apply Rplus_lt_le_0_compat; sign | apply Rplus_le_lt_0_compat; sign]
    | |- 0 < _ * _ => apply Rmult_lt_0_compat; sign
    | |- 0 < _ / _ => apply Rdiv_lt_0_compat; sign
    | |- 0 < / _ => apply Rinv_0_lt_compat; sign
    | |- 0 < sqrt _ => apply sqrt_lt_R0; sign
    | |- 0 < _ ^ _ => apply pow_lt; sign
    | |- 0 < Rmin _ _ => apply Rmin_glb_lt; sign
    | |- 0 <= exp _ => left; apply exp_pos
    | |- 0 <= Rpower _ _ => left; apply Rpower_pos
    | |- 0 <= positive_power _ _ => apply positive_power_nonneg
    | |- 0 <= log_plus _ => apply log_plus_nonneg
    | |- 0 <= Rabs _ => apply Rabs_pos
    | |- 0 <= sqrt _ => apply sqrt_pos
    | |- 0 <= _ ^ 2 => apply pow2_ge_0
    | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; sign
    | |- 0 <= _ * _ => apply Rmult_le_pos; sign
    | |- 0 <= _ / _ => apply div_nonneg; sign
    | |- 0 <= / _ => left; apply Rinv_0_lt_compat; sign
    | |- 0 <= _ ^ _ => apply pow_le; sign
    | |- 0 <= ln (1 + _) => apply ln_one_plus_nonneg; sign
    | |- 0 <= ln _ => apply ln_nonneg; first [lra | nra]
    | |- 0 <= sum_range _ _ _ => apply sum_nonneg; intros; split_all; sign
    end
  | nra ].

Ltac nonzero := repeat split; first
  [ assumption | apply nonzero_of_pos; sign | apply nonzero_of_neg; first [lra | nra] ].

(** A term is defined. *)
Ltac is_defined := intros; split_all; repeat split; first
  [ assumption
  | lazymatch goal with
    | |- _ <> 0 => nonzero
    | |- _ >= _ => apply Rle_ge; first [sign | lra | nra]
    | |- _ > _ => apply Rlt_gt; first [sign | lra | nra]
    | |- _ => first [sign | lra | nra]
    end
  | (* a family that is monotone in an index *)
    match goal with
    | H : forall a b : nat, (1 <= a)%nat -> (1 <= b)%nat -> _ <= _, j : nat, k : nat |- _ =>
        solve [pose proof (H j k ltac:(lia) ltac:(lia)); clear H; first [sign | apply Rlt_gt; sign]]
    end ].

(** Two ways to write one real number. *)
Ltac same_value := first
  [ reflexivity
  | ring
  | field; nonzero
  | (apply sum_ext; intros; same_value)
  | (f_equal; same_value)
  | (apply ln_inv; [sign | sign |
      unfold Rpower; repeat (rewrite ?ln_mult, ?ln_div, ?ln_sqrt, ?ln_exp by sign); field; nonzero]) ].

(** Logarithms of products, quotients and powers taken apart. *)
Ltac logarithms := repeat (rewrite ?ln_mult, ?ln_div, ?ln_sqrt, ?ln_exp, ?ln_Rpower by sign);
  first [ring | (field; nonzero) | lra].

(** Absolute values and extrema by cases. *)
Ltac cases := unfold Rmax, Rmin in *;
  repeat match goal with
    | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
    | H : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
    | H : ~ _ <= _ |- _ => apply Rnot_le_lt in H
    end;
  try split_Rabs; first [lra | nra].

(** Close the goal by a theorem of the development, up to [same_value] on both sides. *)
Ltac rearranged T := timeout 8 (intros; split_all; first
  [ solve [eapply T; eauto; lra]
  | solve [(eapply Rle_trans; [apply Req_le | eapply Rle_trans; [eapply T | apply Req_le]]);
      try eassumption; try lra; same_value]
  | solve [(etransitivity; [ | etransitivity; [eapply T | ]]); try eassumption; try lra; same_value] ]).
