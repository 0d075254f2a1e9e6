(** * G5: Chernoff's bound in its [kl] form, for finite laws and losses in [0,1]; the union bound. *)

From Coq Require Import Reals List Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers Laws KL.
From Majorant Require Statements.
Import ListNotations.
Open Scope R_scope.

(** The event is decidable, because real numbers are compared. *)
Definition exceedsb (q c r : R) : bool :=
  if Rlt_dec q r then (if Rlt_dec r 1 then (if Rlt_dec c (kl q r) then true else false) else true) else false.

Lemma exceedsb_spec q c r : exceedsb q c r = true <-> exceeds q c r.
Proof.
  unfold exceedsb, exceeds. destruct (Rlt_dec q r), (Rlt_dec r 1), (Rlt_dec c (kl q r));
    split; intros H; try discriminate; try reflexivity; repeat split; intros; try lra;
    destruct H as [H1 H2]; try lra; exfalso; auto.
Qed.

Definition indicator (b : bool) : R := if b then 1 else 0.

Lemma indicator_range b : 0 <= indicator b <= 1.
Proof. destruct b; simpl; lra. Qed.

Section samples.
Variables (m : nat) (p : nat -> R).
Hypothesis (Hp : law m p).

Let mean_of := sample_mean m p.
Let good s := Forall (fun z => (1 <= z <= m)%nat) s.

Lemma sample_le n F G : (forall s, length s = n -> good s -> F s <= G s) -> mean_of n F <= mean_of n G.
Proof.
  revert F G. induction n as [|n IH]; intros F G H; simpl.
  - apply H; [reflexivity | constructor].
  - apply sum_le. intros z Hz. apply Rmult_le_compat_l; [now apply Hp|].
    apply IH. intros s Hs Gs. apply H; simpl; [now rewrite Hs | now constructor].
Qed.

Lemma sample_ext n F G : (forall s, length s = n -> good s -> F s = G s) -> mean_of n F = mean_of n G.
Proof. intros H. apply Rle_antisym; apply sample_le; intros; rewrite H by assumption; lra. Qed.

Lemma sample_plus n F G : mean_of n (fun s => F s + G s) = mean_of n F + mean_of n G.
Proof.
  revert F G. induction n as [|n IH]; intros F G; unfold mean_of; simpl; fold mean_of; [reflexivity|].
  rewrite <- sum_plus. apply sum_ext. intros z _.
  rewrite (IH (fun s => F (z :: s)) (fun s => G (z :: s))). ring.
Qed.

Lemma sample_scal n c F : mean_of n (fun s => c * F s) = c * mean_of n F.
Proof.
  revert F. induction n as [|n IH]; intros F; unfold mean_of; simpl; fold mean_of; [reflexivity|].
  rewrite <- sum_scal. apply sum_ext. intros z _. rewrite (IH (fun s => F (z :: s))). ring.
Qed.

Lemma sample_nonneg n F : (forall s, length s = n -> good s -> 0 <= F s) -> 0 <= mean_of n F.
Proof.
  intros H. replace 0 with (mean_of n (fun _ => 0 * 0)) by (rewrite (sample_scal n 0 (fun _ => 0)); ring).
  apply sample_le. intros. rewrite Rmult_0_l. now apply H.
Qed.

(** Independence: the mean of a product is the product of the means. *)
Lemma sample_product n (g : nat -> R) :
  mean_of n (fun s => fold_right (fun z rest => g z * rest) 1 s) = mean m p g ^ n.
Proof.
  induction n as [|n IH]; unfold mean_of; simpl; fold mean_of; [reflexivity|]. unfold mean at 1. rewrite <- sum_scal_r.
  apply sum_ext. intros z _.
  rewrite (sample_scal n (g z) (fun s => fold_right (fun z rest => g z * rest) 1 s)), IH. ring.
Qed.

(** An event that has no good sample has probability zero. *)
Lemma sample_certain n (ok : nat -> Prop) F : (forall z, (1 <= z <= m)%nat -> p z <> 0 -> ok z) ->
  (forall s, length s = n -> good s -> Forall ok s -> F s = 0) -> mean_of n F = 0.
Proof.
  intros Hok. revert F. induction n as [|n IH]; intros F H; unfold mean_of; simpl; fold mean_of.
  - apply H; constructor.
  - replace 0 with (sum_range 1 m (fun _ => 0 * 0)) by (rewrite sum_scal; ring).
    apply sum_ext. intros z Hz. destruct (Req_dec (p z) 0) as [->|Nz]; [ring|].
    rewrite IH; [ring|]. intros s Hs Gs Os. apply H; simpl; [now rewrite Hs | now constructor |].
    constructor; [now apply Hok | assumption].
Qed.

Section one_loss.
Variable loss : nat -> R.
Hypothesis (Hloss : forall z, (1 <= z <= m)%nat -> 0 <= loss z <= 1).

Let R_ := risk m p loss.

Lemma risk_range : 0 <= R_ <= 1.
Proof.
  unfold R_, risk, mean. split.
  - apply (E_nonneg m p Hp). intros. now apply Hloss.
  - rewrite <- (E_const m p Hp 1). apply (E_le m p Hp). intros. now apply Hloss.
Qed.

Lemma total_range s : good s -> 0 <= total_loss loss s <= INR (length s).
Proof.
  induction 1 as [|z s Hz Hs IH]; simpl total_loss; simpl length; [simpl; lra|].
  rewrite S_INR. pose proof (Hloss z Hz). lra.
Qed.

(** The moment generating function is below that of a coin (the chord of the exponential). *)
Lemma generating t : mean m p (fun z => exp (t * loss z)) <= 1 - R_ + R_ * exp t.
Proof.
  apply Rle_trans with (mean m p (fun z => 1 + (exp t - 1) * loss z)).
  - apply (E_le m p Hp). intros z Hz. destruct (Hloss z Hz) as [A B].
    pose proof (weighted_amgm (exp t) 1 (loss z) (exp_pos _) Rlt_0_1 (conj A B)) as W.
    unfold Rpower in W. rewrite ln_exp, ln_1, Rmult_0_r, exp_0, Rmult_1_r, Rmult_comm in W. lra.
  - unfold mean. rewrite (E_plus m p (fun _ => 1)), (E_scal m p), (E_const m p Hp).
    change (sum_range 1 m (fun s => p s * loss s)) with R_. lra.
Qed.

Lemma exp_total t s : fold_right (fun z rest => exp (t * loss z) * rest) 1 s = exp (t * total_loss loss s).
Proof.
  induction s as [|z s IH]; simpl; [rewrite Rmult_0_r, exp_0; reflexivity|].
  rewrite IH, <- exp_plus. f_equal. ring.
Qed.

(** Chernoff for one threshold [q < R]. *)
Lemma lower_tail n q (I : list nat -> R) : 0 <= q -> q < R_ -> R_ < 1 ->
  (forall s, length s = n -> good s -> I s <= 1) ->
  (forall s, length s = n -> good s -> I s <= 0 \/ total_loss loss s <= INR n * q) ->
  mean_of n I <= exp (- (INR n * kl q R_)).
Proof.
  intros Hq HqR HR H1 HI. destruct Hq as [Hq|<-].
  - set (t := ln (q * (1 - R_) / (R_ * (1 - q)))).
    assert (Pr : 0 < q * (1 - R_) / (R_ * (1 - q))) by (apply Rdiv_lt_0_compat; nra).
    assert (Ht : t <= 0).
    { unfold t. rewrite <- ln_1. apply ln_le; [assumption|]. apply div_le_l; nra. }
    apply Rle_trans with (mean_of n (fun s => exp (- (t * (INR n * q))) * exp (t * total_loss loss s))).
    + apply sample_le. intros s Hs Gs. rewrite <- exp_plus. destruct (HI s Hs Gs) as [H|H].
      * pose proof (exp_pos (- (t * (INR n * q)) + t * total_loss loss s)). lra.
      * apply Rle_trans with 1; [now apply H1|]. rewrite <- exp_0. apply exp_le.
        assert (0 <= - t * (INR n * q - total_loss loss s)) by (apply Rmult_le_pos; lra). lra.
    + rewrite sample_scal.
      rewrite (sample_ext n _ (fun s => fold_right (fun z rest => exp (t * loss z) * rest) 1 s))
        by (intros; now rewrite exp_total).
      rewrite sample_product.
      assert (M0 : 0 <= mean m p (fun z => exp (t * loss z))).
      { apply (E_nonneg m p Hp). intros. left. apply exp_pos. }
      assert (G : 1 - R_ + R_ * exp t = (1 - R_) / (1 - q)).
      { unfold t. rewrite exp_ln by assumption. field. lra. }
      pose proof (generating t) as Gen. rewrite G in Gen.
      assert (Pq : 0 < (1 - R_) / (1 - q)) by (apply Rdiv_lt_0_compat; lra).
      apply Rle_trans with (exp (- (t * (INR n * q))) * ((1 - R_) / (1 - q)) ^ n).
      * apply Rmult_le_compat_l; [left; apply exp_pos | apply pow_incr; lra].
      * rewrite <- (exp_ln ((1 - R_) / (1 - q))) by assumption. rewrite <- Rpower_pow by apply exp_pos.
        unfold Rpower. rewrite ln_exp, <- exp_plus. right. f_equal.
        unfold t. rewrite kl_split by lra. rewrite !ln_div, !ln_mult by nra. ring.
  - assert (E : kl 0 R_ = - ln (1 - R_)).
    { rewrite kl_split by lra. replace (1 - 0) with 1 by ring. rewrite ln_1. ring. }
    rewrite E. replace (- (INR n * - ln (1 - R_))) with (INR n * ln (1 - R_)) by ring.
    fold (Rpower (1 - R_) (INR n)). rewrite Rpower_pow by lra.
    assert (M : mean m p (fun z => 1 - loss z) = 1 - R_).
    { unfold mean. rewrite (E_minus m p (fun _ => 1) loss), (E_const m p Hp). reflexivity. }
    rewrite <- M, <- sample_product. apply sample_le. intros s Hs Gs.
    assert (P : 0 <= fold_right (fun z rest => (1 - loss z) * rest) 1 s
      /\ (total_loss loss s <= 0 -> fold_right (fun z rest => (1 - loss z) * rest) 1 s = 1)).
    { clear Hs. induction Gs as [|z s Hz Gs IH]; simpl; [lra|]. destruct IH as [I1 I2].
      pose proof (Hloss z Hz). pose proof (total_range s Gs). split; [apply Rmult_le_pos; lra|].
      intros T. rewrite I2 by lra. replace (loss z) with 0 by lra. ring. }
    destruct P as [P1 P2]. destruct (HI s Hs Gs) as [H|H]; [lra|].
    rewrite Rmult_0_r in H. rewrite P2 by assumption. now apply H1.
Qed.

(** Among finitely many values of the frequency that satisfy the event, one is the largest. *)
Lemma largest (l : list R) (P : R -> Prop) :
  (forall x, In x l -> ~ P x) \/ exists x, In x l /\ P x /\ forall y, In y l -> P y -> y <= x.
Proof.
  induction l as [|a l IH]; [left; intros x []|].
  destruct (Classical_Prop.classic (P a)) as [Pa|Na].
  - destruct IH as [No|[x [Hx [Px Max]]]].
    + right. exists a. split; [now left|]. split; [assumption|].
      intros y [<-|Hy] Py; [lra | exfalso; now apply (No y)].
    + right. destruct (Rle_dec a x) as [L|L].
      * exists x. split; [now right|]. split; [assumption|]. intros y [<-|Hy] Py; [lra | auto].
      * exists a. split; [now left|]. split; [assumption|].
        intros y [<-|Hy] Py; [lra|]. pose proof (Max y Hy Py). lra.
  - destruct IH as [No|[x [Hx [Px Max]]]].
    + left. intros x [<-|Hx]; [assumption | now apply No].
    + right. exists x. split; [now right|]. split; [assumption|].
      intros y [<-|Hy] Py; [contradiction | auto].
Qed.

Fixpoint all_samples (n : nat) : list (list nat) :=
  match n with
  | O => [[]]
  | S k => flat_map (fun z => map (cons z) (all_samples k)) (indices 1 m)
  end.

Lemma all_samples_complete n s : length s = n -> good s -> In s (all_samples n).
Proof.
  revert s. induction n as [|n IH]; intros [|z s] Hs Gs; try discriminate; simpl; [now left|].
  inversion Gs; subst. apply in_flat_map. exists z. split; [now apply in_indices|].
  apply in_map. apply IH; [simpl in Hs; lia | assumption].
Qed.

Theorem chernoff n c (I : list nat -> R) : 0 <= c -> (1 <= n)%nat ->
  (forall s, (exceeds (empirical_risk loss s) c R_ -> I s = 1)
             /\ (~ exceeds (empirical_risk loss s) c R_ -> I s = 0)) ->
  mean_of n I <= exp (- (INR n * c)).
Proof.
  intros Hc Hn HI. pose proof risk_range as RR.
  assert (Pn : 0 < INR n) by (apply lt_0_INR; lia).
  assert (Emp : forall s, length s = n -> good s -> 0 <= empirical_risk loss s <= 1).
  { intros s Hs Gs. pose proof (total_range s Gs). unfold empirical_risk. rewrite Hs in *.
    split; [apply div_nonneg; lra | apply div_le_l; lra]. }
  assert (I01 : forall s, I s = 0 \/ I s = 1).
  { intros s. destruct (HI s) as [A B]. destruct (Classical_Prop.classic (exceeds (empirical_risk loss s) c R_)); auto. }
  destruct (Rlt_dec R_ 1) as [HR|HR].
  - destruct (largest (map (fun s => empirical_risk loss s) (filter (fun s => if Rle_dec 1 (I s) then true else false) (all_samples n)))
      (fun q => 0 <= q)) as [No|[q [Hq [Pq Max]]]].
    + apply Rle_trans with (mean_of n (fun _ => 0 * 0)).
      * apply sample_le. intros s Hs Gs. destruct (I01 s) as [->|H1]; [lra|]. exfalso.
        apply (No (empirical_risk loss s)); [|now apply Emp].
        apply in_map_iff. exists s. split; [reflexivity|]. apply filter_In. split; [now apply all_samples_complete|].
        destruct (Rle_dec 1 (I s)); [reflexivity | lra].
      * rewrite (sample_scal n 0 (fun _ => 0)). pose proof (exp_pos (- (INR n * c))). lra.
    + apply in_map_iff in Hq. destruct Hq as [s0 [E0 H0]]. apply filter_In in H0. destruct H0 as [_ H0].
      assert (Ex : exceeds q c R_).
      { rewrite <- E0. destruct (Rle_dec 1 (I s0)); [|discriminate]. destruct (HI s0) as [_ B].
        apply Classical_Prop.NNPP. intros Ne. rewrite (B Ne) in r. lra. }
      destruct Ex as [QR KQ]. specialize (KQ HR).
      apply Rle_trans with (exp (- (INR n * kl q R_))).
      * apply lower_tail; try assumption.
        -- intros s _ _. destruct (I01 s) as [->| ->]; lra.
        -- intros s Hs Gs. destruct (I01 s) as [->|H1]; [left; lra|]. right.
           assert (L : empirical_risk loss s <= q).
           { apply Max; [|now apply Emp]. apply in_map_iff. exists s. split; [reflexivity|].
             apply filter_In. split; [now apply all_samples_complete|].
             destruct (Rle_dec 1 (I s)); [reflexivity | lra]. }
           unfold empirical_risk in L. rewrite Hs in L.
           apply Rmult_le_compat_r with (r := INR n) in L; [|lra]. unfold Rdiv in L.
           rewrite Rmult_assoc, Rinv_l, Rmult_1_r in L by lra. lra.
      * apply exp_le. assert (INR n * c <= INR n * kl q R_) by (apply Rmult_le_compat_l; lra). lra.
  - (* a risk of 1: every example that occurs has loss 1 *)
    assert (R1 : R_ = 1) by lra.
    apply Rle_trans with 0; [|left; apply exp_pos]. right.
    apply (sample_certain n (fun z => loss z = 1)).
    + intros z Hz Pz. assert (Z : mean m p (fun z => 1 - loss z) = 0).
      { unfold mean. rewrite (E_minus m p (fun _ => 1) loss), (E_const m p Hp).
        change (sum_range 1 m (fun s => p s * loss s)) with R_. lra. }
      pose proof (sum_term_le 1 m (fun z => p z * (1 - loss z)) z Hz) as T.
      assert (T2 : p z * (1 - loss z) <= 0).
      { rewrite <- Z. apply T. intros i Hi. apply Rmult_le_pos; [now apply Hp|]. pose proof (Hloss i Hi). lra. }
      pose proof (Hloss z Hz). assert (0 <= p z) by (now apply Hp). nra.
    + intros s Hs Gs Os. destruct (HI s) as [_ B]. apply B. intros [QR _].
      assert (T : total_loss loss s = INR (length s)).
      { clear - Os. induction Os as [|z s Hz Os IH]; [reflexivity|].
        simpl total_loss. simpl length. rewrite S_INR, IH, Hz. ring. }
      unfold empirical_risk in QR. rewrite T, Hs in QR. unfold Rdiv in QR. rewrite Rinv_r in QR; lra.
Qed.
End one_loss.

(** The union bound over a list. *)
Theorem union_bound n c losses (I : list nat -> R) : 0 <= c -> (1 <= n)%nat ->
  (forall loss, In loss losses -> forall z, (1 <= z <= m)%nat -> 0 <= loss z <= 1) ->
  (forall s, ((exists loss, In loss losses /\ exceeds (empirical_risk loss s) c (risk m p loss)) -> I s = 1)
    /\ (~ (exists loss, In loss losses /\ exceeds (empirical_risk loss s) c (risk m p loss)) -> I s = 0)) ->
  mean_of n I <= INR (length losses) * exp (- (INR n * c)).
Proof.
  intros Hc Hn. revert I. induction losses as [|loss losses IH]; intros I Hl HI.
  - simpl. rewrite Rmult_0_l. apply Rle_trans with (mean_of n (fun _ => 0 * 0)).
    + apply sample_le. intros s _ _. destruct (HI s) as [_ B]. rewrite B; [lra|]. intros [l [[] _]].
    + rewrite (sample_scal n 0 (fun _ => 0)). lra.
  - set (J1 := fun s => indicator (exceedsb (empirical_risk loss s) c (risk m p loss))).
    set (J2 := fun s => indicator (existsb (fun l => exceedsb (empirical_risk l s) c (risk m p l)) losses)).
    apply Rle_trans with (mean_of n (fun s => J1 s + J2 s)).
    + apply sample_le. intros s _ _. destruct (HI s) as [A B].
      destruct (Classical_Prop.classic (exists l, In l (loss :: losses)
        /\ exceeds (empirical_risk l s) c (risk m p l))) as [[l [[<-|Hin] Hex]]|No].
      * rewrite A by (exists loss; split; [now left | exact Hex]). unfold J1.
        rewrite (proj2 (exceedsb_spec _ _ _) Hex). pose proof (indicator_range (existsb
          (fun l => exceedsb (empirical_risk l s) c (risk m p l)) losses)). simpl. unfold J2. lra.
      * rewrite A by (exists l; split; [now right | exact Hex]).
        assert (X : existsb (fun l => exceedsb (empirical_risk l s) c (risk m p l)) losses = true).
        { apply existsb_exists. exists l. split; [assumption | now apply exceedsb_spec]. }
        unfold J2. rewrite X. unfold J1.
        pose proof (indicator_range (exceedsb (empirical_risk loss s) c (risk m p loss))). simpl. lra.
      * rewrite (B No). unfold J1, J2. pose proof (indicator_range (exceedsb (empirical_risk loss s) c (risk m p loss))).
        pose proof (indicator_range (existsb (fun l => exceedsb (empirical_risk l s) c (risk m p l)) losses)). lra.
    + rewrite sample_plus. simpl length. rewrite S_INR.
      assert (C1 : mean_of n J1 <= exp (- (INR n * c))).
      { apply (chernoff loss); [now apply Hl; left | assumption | assumption |]. intros s.
        rewrite <- exceedsb_spec. unfold J1. destruct (exceedsb _ _ _); simpl; split; congruence. }
      assert (C2 : mean_of n J2 <= INR (length losses) * exp (- (INR n * c))).
      { apply IH; [intros; apply Hl; [now right | assumption]|]. intros s.
        assert (X : (exists l, In l losses /\ exceeds (empirical_risk l s) c (risk m p l))
          <-> existsb (fun l => exceedsb (empirical_risk l s) c (risk m p l)) losses = true).
        { rewrite existsb_exists. split; intros [l [Hin H]]; exists l; (split; [assumption | now apply exceedsb_spec]). }
        rewrite X. unfold J2. destruct (existsb _ _); simpl; split; congruence. }
      lra.
Qed.
End samples.

Theorem list_failure_bound n h c P : 0 <= c -> list_failure n h c P -> P <= exp (h - INR n * c).
Proof.
  intros Hc [Hn [m [p [losses [Hp [Hne [Hh [Hl [I [HI ->]]]]]]]]]].
  eapply Rle_trans; [now apply (union_bound m p Hp n c losses)|].
  assert (Len : 0 < INR (length losses)).
  { apply lt_0_INR. destruct losses; [contradiction | simpl; lia]. }
  unfold Rminus. rewrite exp_plus. apply Rmult_le_compat_r; [left; apply exp_pos|].
  rewrite <- (exp_ln _ Len). now apply exp_le.
Qed.

(** ** The statements *)

Theorem CHERNOFF : Statements.CHERNOFF.
Proof.
  intros c P n Hc Hn H. pose proof (list_failure_bound n 0 c P ltac:(lra) H) as K.
  replace (0 - INR n * c) with (- (c * INR n)) in K by ring. exact K.
Qed.

Theorem G5 : Statements.G5.
Proof.
  intros delta entropy P price n Hd He _ Hp Hn H Hd1.
  assert (Pn : 0 < INR n) by (apply lt_0_INR; lia).
  assert (L : 0 <= ln (1 / delta)) by (apply ln_nonneg, le_div_r; lra).
  assert (Level : 0 <= (entropy + price + ln (1 / delta)) / INR n) by (apply div_nonneg; lra).
  pose proof (list_failure_bound n entropy _ P Level H) as K.
  replace (entropy - INR n * ((entropy + price + ln (1 / delta)) / INR n)) with (ln delta + - price) in K.
  - rewrite exp_plus, exp_ln in K by lra. exact K.
  - rewrite ln_div, ln_1 by lra. field. lra.
Qed.

Theorem G5_union : Statements.G5_union.
Proof. intros delta entropy price _ _ _. rewrite Rmult_assoc, <- exp_plus. do 2 f_equal. ring. Qed.
