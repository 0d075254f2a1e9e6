(** * Finite sums and products: the few facts that the proofs use. *)

From Coq Require Import Reals List Lra Lia Psatz.
From Majorant Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

Definition fold_sum (f : nat -> R) (l : list nat) : R := fold_right (fun i rest => f i + rest) 0 l.

Lemma fold_sum_tail f l x :
  fold_right (fun i rest => f i + rest) x l = fold_sum f l + x.
Proof. induction l as [|i l IH]; simpl; [unfold fold_sum; simpl; lra | rewrite IH; unfold fold_sum; simpl; lra]. Qed.

Lemma fold_sum_nonneg f l : (forall i, In i l -> 0 <= f i) -> 0 <= fold_sum f l.
Proof.
  intros K. induction l as [|i l IH]; unfold fold_sum; simpl; [lra|].
  assert (0 <= f i) by (apply K; simpl; auto).
  assert (0 <= fold_sum f l) by (apply IH; intros; apply K; simpl; auto). unfold fold_sum in *. lra.
Qed.

Lemma fold_sum_term f l k : In k l -> (forall i, In i l -> 0 <= f i) -> f k <= fold_sum f l.
Proof.
  intros Hk K. induction l as [|i l IH]; [contradiction|]. unfold fold_sum in *; simpl.
  assert (0 <= f i) by (apply K; simpl; auto).
  assert (N : 0 <= fold_sum f l) by (apply fold_sum_nonneg; intros; apply K; simpl; auto).
  unfold fold_sum in N. destruct Hk as [->|Hk]; [lra|].
  assert (f k <= fold_right (fun i rest => f i + rest) 0 l) by (apply IH; intros; try apply K; simpl; auto). lra.
Qed.

Lemma indices_S a b : (a <= S b)%nat -> indices a (S b) = indices a b ++ [S b].
Proof.
  intros H. unfold indices. replace (S (S b) - a)%nat with (S (S b - a)) by lia.
  rewrite seq_S. do 2 f_equal. lia.
Qed.

Lemma in_indices i a b : In i (indices a b) <-> (a <= i <= b)%nat.
Proof. unfold indices. rewrite in_seq. lia. Qed.

Lemma sum_S a b f : (a <= S b)%nat -> sum_range a (S b) f = sum_range a b f + f (S b).
Proof.
  intros H. unfold sum_range. rewrite indices_S, fold_right_app by assumption. simpl.
  rewrite fold_sum_tail. unfold fold_sum. lra.
Qed.

Lemma sum_empty a b f : (b < a)%nat -> sum_range a b f = 0.
Proof. intros H. unfold sum_range, indices. replace (S b - a)%nat with O by lia. reflexivity. Qed.

Lemma sum_0 f : sum_range 1 0 f = 0.
Proof. reflexivity. Qed.

Lemma sum_1 n f : sum_range 1 (S n) f = sum_range 1 n f + f (S n).
Proof. apply sum_S. lia. Qed.

Lemma prod_S a b f : (a <= S b)%nat -> prod_range a (S b) f = prod_range a b f * f (S b).
Proof.
  intros H. unfold prod_range. rewrite indices_S, fold_right_app by assumption. simpl.
  induction (indices a b) as [|i l IH]; simpl; [ring | rewrite IH; ring].
Qed.

Lemma prod_empty a b f : (b < a)%nat -> prod_range a b f = 1.
Proof. intros H. unfold prod_range, indices. replace (S b - a)%nat with O by lia. reflexivity. Qed.

Section range.
Variables a b : nat.

Lemma sum_ext f g : (forall i, (a <= i <= b)%nat -> f i = g i) -> sum_range a b f = sum_range a b g.
Proof.
  intros H. unfold sum_range.
  assert (K : forall i, In i (indices a b) -> f i = g i) by (intros i Hi; apply H; now apply in_indices).
  induction (indices a b) as [|i l IH]; simpl; [reflexivity|].
  rewrite (K i) by (simpl; auto). f_equal. apply IH. intros; apply K; simpl; auto.
Qed.

Lemma sum_plus f g : sum_range a b (fun i => f i + g i) = sum_range a b f + sum_range a b g.
Proof. unfold sum_range. induction (indices a b) as [|i l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_minus f g : sum_range a b (fun i => f i - g i) = sum_range a b f - sum_range a b g.
Proof. unfold sum_range. induction (indices a b) as [|i l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_scal c f : sum_range a b (fun i => c * f i) = c * sum_range a b f.
Proof. unfold sum_range. induction (indices a b) as [|i l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_scal_r c f : sum_range a b (fun i => f i * c) = sum_range a b f * c.
Proof. unfold sum_range. induction (indices a b) as [|i l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_le f g : (forall i, (a <= i <= b)%nat -> f i <= g i) -> sum_range a b f <= sum_range a b g.
Proof.
  intros H. unfold sum_range.
  assert (K : forall i, In i (indices a b) -> f i <= g i) by (intros i Hi; apply H; now apply in_indices).
  induction (indices a b) as [|i l IH]; simpl; [lra|].
  apply Rplus_le_compat; [apply K; simpl; auto | apply IH; intros; apply K; simpl; auto].
Qed.

Lemma sum_nonneg f : (forall i, (a <= i <= b)%nat -> 0 <= f i) -> 0 <= sum_range a b f.
Proof.
  intros H. unfold sum_range. change (0 <= fold_sum f (indices a b)).
  apply fold_sum_nonneg. intros i Hi. apply H. now apply in_indices.
Qed.

Lemma sum_abs f : Rabs (sum_range a b f) <= sum_range a b (fun i => Rabs (f i)).
Proof.
  unfold sum_range. induction (indices a b) as [|i l IH]; simpl; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma sum_term_le f k : (a <= k <= b)%nat -> (forall i, (a <= i <= b)%nat -> 0 <= f i) ->
  f k <= sum_range a b f.
Proof.
  intros Hk H. unfold sum_range.
  assert (K : forall i, In i (indices a b) -> 0 <= f i) by (intros i Hi; apply H; now apply in_indices).
  apply in_indices in Hk. now apply fold_sum_term.
Qed.

Lemma prod_nonneg f : (forall i, (a <= i <= b)%nat -> 0 <= f i) -> 0 <= prod_range a b f.
Proof.
  intros H. unfold prod_range.
  assert (K : forall i, In i (indices a b) -> 0 <= f i) by (intros i Hi; apply H; now apply in_indices).
  induction (indices a b) as [|i l IH]; simpl; [lra|].
  apply Rmult_le_pos; [apply K; simpl; auto | apply IH; intros; apply K; simpl; auto].
Qed.

End range.

Lemma sum_const a b c : sum_range a b (fun _ => c) = INR (S b - a) * c.
Proof.
  unfold sum_range, indices. generalize (S b - a)%nat as n. intros n. revert a.
  induction n as [|n IH]; intros a; [simpl; lra|]. rewrite S_INR. simpl. rewrite IH. lra.
Qed.

Lemma sum_exchange a b c d f :
  sum_range a b (fun i => sum_range c d (f i)) = sum_range c d (fun j => sum_range a b (fun i => f i j)).
Proof.
  unfold sum_range at 1 4. induction (indices a b) as [|i l IH]; simpl.
  - symmetry. rewrite (sum_ext _ _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite sum_scal. ring.
  - rewrite IH, sum_plus. reflexivity.
Qed.

(** Cauchy-Schwarz with non-negative weights, in the form of AM-GM that never divides. *)
Lemma cauchy_schwarz a b f g :
  (sum_range a b (fun i => f i * g i)) ^ 2
  <= sum_range a b (fun i => f i ^ 2) * sum_range a b (fun i => g i ^ 2).
Proof.
  set (X := sum_range a b (fun i => f i * g i)). set (A := sum_range a b (fun i => f i ^ 2)).
  set (B := sum_range a b (fun i => g i ^ 2)).
  assert (Q : forall s t, 0 <= s ^ 2 * A - 2 * s * t * X + t ^ 2 * B).
  { intros s t. unfold A, B, X. rewrite <- !sum_scal, <- sum_minus, <- sum_plus. apply sum_nonneg.
    intros i _. replace (s ^ 2 * f i ^ 2 - 2 * s * t * (f i * g i) + t ^ 2 * g i ^ 2)
      with ((s * f i - t * g i) ^ 2) by ring. apply pow2_ge_0. }
  assert (HB : 0 <= B) by (apply sum_nonneg; intros; apply pow2_ge_0).
  destruct (Req_dec B 0) as [Z|Z].
  - rewrite Z in *. assert (HA : 0 <= A) by (apply sum_nonneg; intros; apply pow2_ge_0).
    destruct (Req_dec X 0) as [->|HX]; [nra|]. assert (0 < X ^ 2) by nra.
    pose proof (Q 1 ((A + 1) / (2 * X))) as H2.
    replace (1 ^ 2 * A - 2 * 1 * ((A + 1) / (2 * X)) * X + ((A + 1) / (2 * X)) ^ 2 * 0) with (-1) in H2
      by (field; assumption). lra.
  - pose proof (Q B X) as H. replace (B ^ 2 * A - 2 * B * X * X + X ^ 2 * B) with (B * (A * B - X ^ 2)) in H by ring.
    assert (0 <= A * B - X ^ 2). { apply Rmult_le_reg_l with B; lra. } lra.
Qed.
