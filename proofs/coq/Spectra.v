(** * C4p: Markov's inequality on a spectrum of positive singular values. *)

From Coq Require Import Reals Lra Lia.
From Majorant Require Import Definitions Sums Powers.
From Majorant Require Statements.
Open Scope R_scope.

Theorem markov (r : nat) (s : nat -> R) (p tau : R) : 0 <= p -> 0 < tau ->
  (forall i, (1 <= i <= r)%nat -> 0 < s i) ->
  count_above r s tau * Rpower tau p <= sum_range 1 r (fun i => Rpower (s i) p).
Proof.
  intros Hp Ht Hs. unfold count_above. rewrite <- sum_scal_r. apply sum_le. intros i Hi.
  destruct (Rlt_dec tau (s i)) as [H|H].
  - rewrite Rmult_1_l. apply Rpower_le_base; lra.
  - rewrite Rmult_0_l. left. apply Rpower_pos.
Qed.

(** With [positive_power] zeros may stay in the list: they are counted on neither side. *)
Theorem markov_zeros (r : nat) (s : nat -> R) (p tau : R) : 0 <= p -> 0 < tau ->
  count_above r s tau <= sum_range 1 r (fun i => positive_power (s i) p) / Rpower tau p.
Proof.
  intros Hp Ht. apply le_div_r; [apply Rpower_pos|]. unfold count_above. rewrite <- sum_scal_r.
  apply sum_le. intros i Hi. unfold positive_power. pose proof (Rpower_pos tau p).
  destruct (Rlt_dec tau (s i)) as [H1|H1], (Rlt_dec 0 (s i)) as [H2|H2]; try lra.
  - rewrite Rmult_1_l. apply Rpower_le_base; lra.
  - pose proof (Rpower_pos (s i) p). lra.
Qed.

Theorem counting_bound (r : nat) (s : nat -> R) (S_p p tau : R) : 0 <= p -> 0 < tau ->
  (forall i, (1 <= i <= r)%nat -> 0 < s i) ->
  sum_range 1 r (fun i => Rpower (s i) p) <= S_p ->
  count_above r s tau <= S_p / Rpower tau p.
Proof.
  intros Hp Ht Hs HS. apply le_div_r; [apply Rpower_pos|].
  pose proof (markov r s p tau Hp Ht Hs). lra.
Qed.

(** The Schatten class lies in the envelope class: [i s_i^p <= S_p], so [s_i <= (S_p / i)^(1/p)]. *)
Theorem schatten_envelope (r i : nat) (s : nat -> R) (S_p p : R) : 0 < p -> (1 <= i <= r)%nat ->
  (forall j, (1 <= j <= r)%nat -> 0 < s j) ->
  (forall j, (1 <= j <= r - 1)%nat -> s (j + 1)%nat <= s j) ->
  sum_range 1 r (fun j => Rpower (s j) p) <= S_p ->
  s i <= Rpower (S_p / INR i) (1 / p).
Proof.
  intros Hp Hi Hs Hdec HS.
  assert (Pi : 0 < INR i) by (apply lt_0_INR; lia).
  assert (Dec : forall k, (k < i)%nat -> s i <= s (i - k)%nat).
  { intros k. induction k as [|k IHk]; intros Hk.
    - replace (i - 0)%nat with i by lia. lra.
    - apply Rle_trans with (s (i - k)%nat); [apply IHk; lia|].
      replace (i - k)%nat with ((i - S k) + 1)%nat by lia. apply Hdec. lia. }
  assert (Part : INR i * Rpower (s i) p <= S_p).
  { eapply Rle_trans; [|exact HS].
    apply Rle_trans with (sum_range 1 i (fun j => Rpower (s j) p)).
    - replace (INR i) with (INR (S i - 1)) by (f_equal; lia). rewrite <- sum_const. apply sum_le. intros j Hj.
      apply Rpower_le_base; [apply Hs; lia | | lra].
      replace j with (i - (i - j))%nat by lia. apply Dec. lia.
    - assert (Mono : forall k, sum_range 1 i (fun j => Rpower (s j) p)
        <= sum_range 1 (i + k) (fun j => Rpower (s j) p)).
      { induction k as [|k IHk]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r, sum_1.
        pose proof (Rpower_pos (s (S (i + k))) p). lra. }
      replace r with (i + (r - i))%nat by lia. apply Mono. }
  assert (Pp : 0 < Rpower (s i) p) by apply Rpower_pos.
  replace (s i) with (Rpower (Rpower (s i) p) (1 / p)).
  - apply Rpower_le_base; [assumption | | left; apply Rdiv_lt_0_compat; lra].
    apply le_div_r; [assumption | lra].
  - rewrite Rpower_mult. replace (p * (1 / p)) with 1 by (field; lra). apply Rpower_1. now apply Hs.
Qed.

(** ** The statements *)

Theorem C4p_markov : Statements.C4p_markov.
Proof.
  intros p tau r sigma Hp Ht _. pose proof (markov_zeros r sigma p tau ltac:(lra) Ht) as H.
  unfold Rdiv in H. rewrite <- Rpower_Ropp, Rmult_comm in H. exact H.
Qed.

Theorem C4p_term : Statements.C4p_term.
Proof. intros p s tau Hp Hs Ht H _. apply one_below_power; [lra | apply le_div_r; lra]. Qed.
