(** * D1, D2, D3: the published functional form against the sharper ones. *)

From Coq Require Import Reals Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers.
From Majorant Require Statements.
Open Scope R_scope.

Lemma sharper_split N S kappa p : 0 < N -> 0 <= S -> 0 < kappa ->
  sqrt (N * S * Rpower kappa p) = sqrt N * sqrt S * Rpower kappa (p / 2).
Proof.
  intros. pose proof (Rpower_pos kappa p).
  rewrite !sqrt_mult by (try apply Rmult_le_pos; lra). f_equal.
  rewrite <- Rpower_sqrt by assumption. rewrite Rpower_mult. reflexivity.
Qed.

Section published.
Variables S kappa N p : R.
Hypotheses (HS : 0 < S) (Hkappa : 0 < kappa) (HN : 0 < N) (Hp : 0 <= p).

Let published := Rpower S (1 / (p + 2)) * Rpower kappa (p / (p + 2)) * Rpower N ((p + 1) / (p + 2)).
Let sharper := sqrt (N * S * Rpower kappa p).

Lemma sharper_pos : 0 < sharper.
Proof. unfold sharper. positive. Qed.

Lemma D1_geometric_mean : published = Rpower sharper (2 / (p + 2)) * Rpower N (p / (p + 2)).
Proof.
  apply ln_inv; unfold published; [positive | positive |].
  rewrite !ln_mult, !ln_Rpower by positive.
  unfold sharper. rewrite ln_sqrt, !ln_mult, ln_Rpower by positive.
  field. lra.
Qed.

Lemma D2_minimum r : 0 < r <= N -> Rmin (sqrt (N * r)) sharper <= published.
Proof.
  intros Hr. rewrite D1_geometric_mean. pose proof sharper_pos as Hc.
  assert (R0 : sqrt (N * r) <= N) by (apply sqrt_le_of_square; nra).
  apply Rle_trans with (Rmin sharper N).
  - unfold Rmin. destruct (Rle_dec (sqrt (N * r)) sharper), (Rle_dec sharper N); lra.
  - replace (p / (p + 2)) with (1 - 2 / (p + 2)) by (field; lra).
    apply geometric_mean_above_min; try assumption. split.
    + apply div_nonneg; lra.
    + apply div_le_l; lra.
Qed.
End published.

(** ** The discrete form of [int a^(q-1) da = a^q / q] *)

Lemma power_step a b q : 0 < b -> b <= a -> 0 < q <= 1 ->
  Rpower a (q - 1) * (a - b) <= (Rpower a q - Rpower b q) / q.
Proof.
  intros Hb Hab Hq. assert (Ha : 0 < a) by lra.
  pose proof (power_below_tangent (b / a) q (Rdiv_lt_0_compat _ _ Hb Ha) ltac:(lra)) as T.
  assert (E : Rpower b q = Rpower a q * Rpower (b / a) q).
  { rewrite Rpower_mult_distr by (try apply Rdiv_lt_0_compat; assumption). f_equal. field. lra. }
  assert (Q : Rpower a q = Rpower a (q - 1) * a).
  { rewrite <- (Rpower_1 a Ha) at 3. rewrite <- Rpower_plus. f_equal. ring. }
  pose proof (Rpower_pos a q) as P.
  apply le_div_r; [lra|].
  assert (U : Rpower b q <= Rpower a q * (1 + q * (b / a - 1))) by (rewrite E; apply Rmult_le_compat_l; lra).
  replace (Rpower a q * (1 + q * (b / a - 1))) with (Rpower a q - Rpower a (q - 1) * (a - b) * q) in U
    by (rewrite Q; field; lra). lra.
Qed.

Section envelope.
Variables (a : nat -> R) (q A : R).
Hypotheses (Hq : 0 < q <= 1) (HA : 0 <= A).

Let staircase r := sum_range 1 r (fun i => (sqrt (INR i) - sqrt (INR i - 1)) * a i).

Lemma abel r :
  (forall i, (1 <= i <= S r)%nat -> 0 < a i) -> (forall i, (1 <= i <= r)%nat -> a (S i) <= a i) ->
  (forall i, (1 <= i <= S r)%nat -> sqrt (INR i) <= A * Rpower (a i) (q - 1)) ->
  staircase (S r) <= A * (Rpower (a 1%nat) q / q) - A * (Rpower (a (S r)) q / q)
                     + sqrt (INR (S r)) * a (S r).
Proof.
  induction r as [|r IH]; intros Hpos Hdec Hs.
  - unfold staircase. rewrite sum_1, sum_0. simpl INR. replace (1 - 1) with 0 by ring. rewrite sqrt_0. lra.
  - specialize (IH ltac:(intros; apply Hpos; lia) ltac:(intros; apply Hdec; lia)
      ltac:(intros; apply Hs; lia)).
    assert (E : staircase (S (S r)) = staircase (S r)
      + (sqrt (INR (S (S r))) - sqrt (INR (S r))) * a (S (S r))).
    { unfold staircase at 1. rewrite sum_1. fold (staircase (S r)). do 4 f_equal. rewrite (S_INR (S r)). ring. }
    rewrite E. pose proof (Hdec (S r) ltac:(lia)) as Hab.
    pose proof (power_step (a (S r)) (a (S (S r))) q ltac:(apply Hpos; lia) Hab Hq) as D.
    assert (B : sqrt (INR (S r)) * (a (S r) - a (S (S r)))
      <= A * Rpower (a (S r)) (q - 1) * (a (S r) - a (S (S r)))).
    { apply Rmult_le_compat_r; [lra | apply Hs; lia]. }
    assert (C : A * (Rpower (a (S r)) (q - 1) * (a (S r) - a (S (S r))))
      <= A * ((Rpower (a (S r)) q - Rpower (a (S (S r))) q) / q)) by (apply Rmult_le_compat_l; assumption).
    unfold Rdiv in *. lra.
Qed.

Lemma staircase_bound c r : 0 < c ->
  (forall i, (1 <= i <= S r)%nat -> 0 < a i) -> (forall i, (1 <= i <= r)%nat -> a (S i) <= a i) ->
  a 1%nat <= c ->
  (forall i, (1 <= i <= S r)%nat -> sqrt (INR i) <= A * Rpower (a i) (q - 1)) ->
  staircase (S r) <= A * (Rpower c q / q).
Proof.
  intros Hc Hpos Hdec H1 Hs. pose proof (abel r Hpos Hdec Hs) as M.
  pose proof (Hpos (S r) ltac:(lia)) as Pa.
  assert (L : sqrt (INR (S r)) * a (S r) <= A * (Rpower (a (S r)) q / q)).
  { apply Rle_trans with (A * Rpower (a (S r)) (q - 1) * a (S r)).
    - apply Rmult_le_compat_r; [lra | apply Hs; lia].
    - rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|].
      replace (Rpower (a (S r)) (q - 1) * a (S r)) with (Rpower (a (S r)) q).
      + pose proof (Rpower_pos (a (S r)) q). apply le_div_r; [lra | nra].
      + rewrite <- (Rpower_1 _ Pa) at 3. rewrite <- Rpower_plus. f_equal. ring. }
  assert (G : A * (Rpower (a 1%nat) q / q) <= A * (Rpower c q / q)).
  { apply Rmult_le_compat_l; [assumption|]. apply div_le_compat; try lra; [left; apply Rpower_pos|].
    apply Rpower_le_base; [apply Hpos; lia | assumption | lra]. }
  lra.
Qed.
End envelope.

(** D3 for a positive, non-increasing spectrum. *)
Theorem D3_envelope (r : nat) (s : nat -> R) (N kappa c p : R) :
  0 < N -> 0 < kappa -> 0 < c -> 0 <= p < 2 ->
  (forall i, (1 <= i <= r)%nat -> 0 < s i) -> (forall i, (1 <= i <= r - 1)%nat -> s (i + 1)%nat <= s i) ->
  sqrt N * sum_range 1 r (fun i => (sqrt (INR i) - sqrt (INR i - 1)) * Rmin (kappa * s i) c)
  <= sqrt (N * sum_range 1 r (fun i => Rpower (s i) p) * Rpower kappa p)
     * Rpower c (1 - p / 2) / (1 - p / 2).
Proof.
  intros HN Hkappa Hc Hp Hpos Hdec. set (A2 := sum_range 1 r (fun i => Rpower (s i) p) * Rpower kappa p).
  rewrite Rmult_assoc. fold A2.
  assert (HA2 : 0 <= A2).
  { apply Rmult_le_pos; [apply sum_nonneg; intros; left; apply Rpower_pos | left; apply Rpower_pos]. }
  rewrite sqrt_mult by lra. unfold Rdiv at 1. rewrite !Rmult_assoc.
  apply Rmult_le_compat_l; [apply sqrt_pos|].
  fold (Rdiv (Rpower c (1 - p / 2)) (1 - p / 2)). set (q := 1 - p / 2).
  assert (Hq : 0 < q <= 1) by (unfold q; lra).
  destruct r as [|r].
  { rewrite sum_0. apply Rmult_le_pos; [apply sqrt_pos | apply div_nonneg; [left; apply Rpower_pos | lra]]. }
  set (a := fun i => Rmin (kappa * s i) c).
  assert (Ha : forall i, (1 <= i <= S r)%nat -> 0 < a i).
  { intros i Hi. apply Rmin_glb_lt; [apply Rmult_lt_0_compat; auto | assumption]. }
  assert (Hs1 : forall i, (1 <= i <= r)%nat -> s (S i) <= s i).
  { intros i Hi. replace (S i) with (i + 1)%nat by lia. apply Hdec. lia. }
  apply (staircase_bound a q (sqrt A2)); try assumption; try apply sqrt_pos.
  - intros i Hi. unfold a. apply Rmin_glb.
    + eapply Rle_trans; [apply Rmin_l | apply Rmult_le_compat_l; [lra | now apply Hs1]].
    + apply Rmin_r.
  - apply Rmin_r.
  - intros i Hi. pose proof (Ha i Hi) as Pa. pose proof (Rpower_pos (a i) p) as P.
    assert (E : Rpower (a i) (q - 1) = / sqrt (Rpower (a i) p)).
    { rewrite <- Rpower_sqrt by assumption. rewrite Rpower_mult, <- Rpower_Ropp. f_equal. unfold q. field. }
    rewrite E. apply le_div_r; [now apply sqrt_lt_R0|]. rewrite <- sqrt_mult_alt by apply pos_INR.
    apply sqrt_le_1_alt. unfold A2.
    (* i a_i^p <= sum_{j <= i} (kappa s_j)^p *)
    assert (Dec : forall k, (k < i)%nat -> s i <= s (i - k)%nat).
    { intros k. induction k as [|k IHk]; intros Hk.
      - replace (i - 0)%nat with i by lia. lra.
      - apply Rle_trans with (s (i - k)%nat); [apply IHk; lia|].
        replace (i - k)%nat with (S (i - S k)) by lia. apply Hs1. lia. }
    assert (Part : INR i * Rpower (s i) p <= sum_range 1 (S r) (fun j => Rpower (s j) p)).
    { apply Rle_trans with (sum_range 1 i (fun j => Rpower (s j) p)).
      - replace (INR i) with (INR (S i - 1)) by (f_equal; lia). rewrite <- sum_const. apply sum_le. intros j Hj.
        apply Rpower_le_base; [apply Hpos; lia | | lra].
        replace j with (i - (i - j))%nat by lia. apply Dec. lia.
      - assert (Mono : forall k, sum_range 1 i (fun j => Rpower (s j) p)
          <= sum_range 1 (i + k) (fun j => Rpower (s j) p)).
        { induction k as [|k IHk]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r, sum_1.
          pose proof (Rpower_pos (s (S (i + k))) p). lra. }
        replace (S r) with (i + (S r - i))%nat by lia. apply Mono. }
    assert (Rpower (a i) p <= Rpower kappa p * Rpower (s i) p).
    { rewrite Rpower_mult_distr by (auto). apply Rpower_le_base; [assumption | apply Rmin_l | lra]. }
    pose proof (pos_INR i). pose proof (Rpower_pos kappa p). nra.
Qed.

(** Zeros at the end of a spectrum change neither side. *)
Theorem D3_envelope_zeros (r : nat) (s : nat -> R) (N kappa c p : R) :
  0 < N -> 0 < kappa -> 0 < c -> 0 <= p < 2 ->
  (forall i, 0 <= s i) -> (forall i, (1 <= i)%nat -> s (i + 1)%nat <= s i) ->
  sqrt N * sum_range 1 r (fun i => (sqrt (INR i) - sqrt (INR i - 1)) * Rmin (kappa * s i) c)
  <= sqrt (N * sum_range 1 r (fun i => positive_power (s i) p) * Rpower kappa p)
     * Rpower c (1 - p / 2) / (1 - p / 2).
Proof.
  intros HN Hkappa Hc Hp H0 Hdec. induction r as [|r IH].
  - rewrite !sum_0, !Rmult_0_r, Rmult_0_l, sqrt_0. right. field. lra.
  - destruct (H0 (S r)) as [Hpos|Hzero].
    + assert (Below : forall k, (k <= r)%nat -> s (S r) <= s (S r - k)%nat).
      { induction k as [|k IHk]; intros Hk; [replace (S r - 0)%nat with (S r) by lia; lra|].
        apply Rle_trans with (s (S r - k)%nat); [apply IHk; lia|].
        replace (S r - k)%nat with ((S r - S k) + 1)%nat by lia. apply Hdec. lia. }
      assert (Hs : forall i, (1 <= i <= S r)%nat -> 0 < s i).
      { intros i Hi. apply Rlt_le_trans with (s (S r)); [assumption|].
        replace i with (S r - (S r - i))%nat by lia. apply Below. lia. }
      rewrite (sum_ext 1 (S r) (fun i => positive_power (s i) p) (fun i => Rpower (s i) p)).
      * apply D3_envelope; try assumption. intros. apply Hdec. lia.
      * intros i Hi. unfold positive_power. destruct (Rlt_dec 0 (s i)) as [|N0]; [reflexivity|].
        exfalso. apply N0, Hs, Hi.
    + rewrite !sum_1, <- Hzero. unfold positive_power at 2. destruct (Rlt_dec 0 0); [lra|].
      rewrite Rmult_0_r, Rmin_left, Rmult_0_r, !Rplus_0_r by lra. exact IH.
Qed.

Theorem D1 : Statements.D1.
Proof.
  intros N S_ kappa p HN HS Hk Hp. pose proof (D1_geometric_mean S_ kappa N p ltac:(lra) ltac:(lra) ltac:(lra)) as H.
  rewrite sharper_split in H by lra.
  replace (1 + p) with (p + 1) by ring. replace (2 + p) with (p + 2) by ring.
  rewrite (Rmult_comm (Rpower N (p / (p + 2)))), <- H. ring.
Qed.

Theorem D2 : Statements.D2.
Proof.
  intros N S_ kappa p rank HN HS Hk Hp Hr HrN _.
  pose proof (D2_minimum S_ kappa N p ltac:(lra) ltac:(lra) ltac:(lra) rank ltac:(lra)) as H.
  rewrite sharper_split, sqrt_mult in H by lra.
  replace (1 + p) with (p + 1) by ring. replace (2 + p) with (p + 2) by ring. lra.
Qed.

Theorem D3_step : Statements.D3_step.
Proof. intros q x y Hq Hx Hy Hyx Hq1. apply power_step; lra. Qed.

Theorem D3 : Statements.D3.
Proof.
  intros N c kappa p r sigma HN Hc Hk Hp Hs Hp2 Hdec.
  pose proof (D3_envelope_zeros r sigma N kappa c p HN Hk Hc ltac:(lra)
    ltac:(intros; apply Rge_le, Hs) Hdec) as H.
  rewrite sharper_split in H; [| lra | | lra].
  - rewrite (sum_ext 1 r _ (fun i => (sqrt (INR i) - sqrt (INR i - 1)) * Rmin (kappa * sigma i) c))
      by (intros; now rewrite Rmin_comm).
    eapply Rle_trans; [exact H|]. right. field. lra.
  - apply sum_nonneg. intros. apply positive_power_nonneg.
Qed.
